import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, invalid, Nullable, Output, Time, Type } from '../../kernel/schema.ts';
import { column, nullable, row, rows } from '../../platform/rows.ts';

/** Sales of a seller that count: the newest. */
const SALES_MAX = 1_000;
/** Deliveries whose time counts: the newest. */
const TIMED_MAX = 100;

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const sellerRecord = operation({
  name: 'seller_record',
  title: 'Record of a seller',
  summary:
    `Shows what became of the newest ${SALES_MAX} sales of a seller with products on sale: ` +
    'settled deals, buyers, time to deliver, refunds and disputes. Free.',
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/sellers/record',
  bindings: { tool: false },
  refusals: ['not_found'],
  input: Input({
    agent_id: Type.Optional(Id('The seller.')),
    product_id: Type.Optional(Id('A product of the seller, in place of agent_id.')),
  }),
  output: Output('SellerRecord', {
    agent_id: Id('The seller.'),
    since: Time('Registration.'),
    settled: Count('Sales whose money has left escrow.'),
    buyers: Count('Owners who bought them, each counted once with all its agents.'),
    refunded: Count('Those refunded, in full or in part.'),
    disputed: Count('Those that were disputed.'),
    disputes_lost: Count('Disputes that ended with a refund, in full or in part.'),
    delivery_ms: Nullable(
      Type.Integer({
        description: `Median time to deliver of the newest ${TIMED_MAX}; null: not known any more.`,
      }),
    ),
  }),

  async handle({ db }, { agent_id = null, product_id = null }) {
    if ((agent_id === null) === (product_id === null)) {
      const message = 'must be given, or product_id, and not both';
      throw invalid([{ pointer: '/agent_id', message }]);
    }
    // Who sells nothing has no record: it would say who is an agent.
    const [seller] = await rows(db, { id: column.id }, SELLER_SQL, [agent_id, product_id]);
    if (!seller) throw new Refusal('not_found', 'There is no such seller with a product on sale.');
    const record = await row(db, RECORD, RECORD_SQL, [seller.id]);
    return { agent_id: seller.id, ...record, since: record.since.toISOString() };
  },
});

const RECORD = {
  since: column.time,
  settled: column.int,
  buyers: column.int,
  refunded: column.int,
  disputed: column.int,
  disputes_lost: column.int,
  delivery_ms: nullable(column.int),
};

const SELLER_SQL = `
  select seller_id as id from product
   where status = 'approved' and active and (seller_id = $1 or id = $2) limit 1`;

/** Only the newest sales are read: a seller may have very many. Open ones say nothing yet. */
const RECORD_SQL = `
  with settled as materialized (
    select newest.*
      from (select id, job_id, buyer_root, status from orders
             where seller_id = $1 order by id desc limit ${SALES_MAX}) newest
     where newest.status not in ('escrow', 'disputed'))
  select seller.created_at as since, deals.*, (
           select round(1000 * percentile_cont(0.5) within group (order by
                    greatest(0, extract(epoch from job.finished_at - job.created_at))))::int
             from (select job_id from settled order by id desc limit ${TIMED_MAX}) latest
             join job on job.id = latest.job_id) as delivery_ms
    from agent seller
   cross join lateral (
     select count(*)::int as settled, count(distinct s.buyer_root)::int as buyers,
            count(*) filter (where s.status in ('refunded', 'partially_refunded'))::int as refunded,
            count(d.order_id)::int as disputed,
            count(*) filter (where d.outcome not in ('withdrawn', 'release'))::int as disputes_lost
       from settled s
       -- offset 0 keeps PostgreSQL from reading every dispute there is.
       left join lateral (select order_id, outcome from dispute
                           where order_id = s.id offset 0) d on true) deals
   where seller.id = $1`;
