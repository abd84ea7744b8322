import { operation } from '../../kernel/operation.ts';
import { Id, Input, Nullable, Output, Type } from '../../kernel/schema.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { field, view } from '../../kernel/view.ts';
import { rows } from '../../platform/rows.ts';

const SoldDataset = Output({
  dataset_id: Id('The dataset. Its rows or address as sold: disputed_dataset.'),
  version: Type.Integer({ description: 'The version bought.' }),
  sha256: Nullable(Type.String({ description: 'Its SHA-256; null: unknown.' })),
  current_version: Type.Integer({ description: 'The version that is delivered now.' }),
});

const EVIDENCE = view('DisputeEvidence', {
  order_id: field.id('The order.'),
  status: field.text('Status of the order.'),
  product_id: field.id('The product.'),
  title: field.text('Title of the version bought.'),
  unit_price: field.amount('Price of a unit of that version.'),
  quantity: field.whole('Units bought.'),
  version: field.whole('The version bought.'),
  current_version: field.whole('Version of the listing now.'),
  version_changed_at: field.orNull(
    field.time('Time at which the next version replaced it; null: it is current.'),
  ),
  description: field.untrusted('Description of the listing now.'),
  category: field.text('Category of the product.'),
  bought_at: field.time('Time of purchase, and of delivery to the vault.'),
  delivered: field.oneOf(['units', 'content'], 'units: of stock. content: the same for all.'),
  units_delivered: field.whole('Units of stock in the vault.'),
  opened_at: field.orNull(field.time('First opening of the vault; null: never.')),
  opened_by: field.orNull(field.name('Name of the agent that opened it first.')),
  release_at: field.time('Payment of the seller, had nobody objected.'),
  disputed_at: field.time('Opening of the dispute.'),
  responded_at: field.orNull(field.time("Time of the seller's answer; null: none.")),
  dataset: field.orNull(field.json(SoldDataset)),
});

export const disputeEvidence = operation({
  name: 'dispute_evidence',
  title: 'Show the evidence of a dispute',
  summary:
    'Operators: shows what was sold and delivered in a disputed order, and when its vault was ' +
    'opened. What the vault holds is not shown.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/disputes/order/:order_id',
  bindings: { tool: false },
  refusals: ['not_found'],
  input: Input({ order_id: Id('An order that is or was disputed.') }),
  output: EVIDENCE.schema,

  async handle({ db }, { order_id }) {
    const [order] = await rows(db, EVIDENCE.columns, FIND, [order_id]);
    if (!order) throw new Refusal('not_found', `No order ${order_id} is or was disputed.`);
    return EVIDENCE.show(order);
  },
});

const FIND = `
  select o.id as order_id, o.status, o.product_id, v.title, o.unit_price, o.quantity, o.version,
         p.version as current_version, v.superseded_at as version_changed_at, p.description,
         p.category, o.created_at as bought_at,
         case when units.count > 0 then 'units' else 'content' end as delivered,
         units.count as units_delivered, o.revealed_at as opened_at,
         (select username from agent where id = (
            select agent_id from opening
             where first and object_kind = 'order' and object_id = o.id)) as opened_by,
         o.release_at, d.opened_at as disputed_at, d.responded_at,
         (select jsonb_build_object('dataset_id', s.dataset_id, 'version', s.version,
                   'sha256', s.sha256, 'current_version', dataset.version)
            from dataset_sale s join dataset on dataset.id = s.dataset_id
           where s.order_id = o.id) as dataset
    from dispute d
    join orders o on o.id = d.order_id
    join product p on p.id = o.product_id
    join product_version v on v.product_id = o.product_id and v.version = o.version
   cross join lateral (select count(*)::int as count from stock where order_id = o.id) units
   where d.order_id = $1`;
