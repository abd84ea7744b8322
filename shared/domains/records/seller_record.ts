import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, invalid, Type } from '../../kernel/schema.ts';
import { field, view } from '../../kernel/view.ts';
import { column, row, rows } from '../../platform/rows.ts';
import { count, level, levelOf } from './record.ts';

/** Deliveries whose time counts: the newest. */
const TIMED_MAX = 100;

const RECORD = view('SellerRecord', {
  agent_id: field.id('The seller.'),
  since: field.time('Registration.'),
  settled: count('Sales whose money has left escrow.'),
  buyers: count('Owners who bought them, each counted once with all its agents.'),
  established_buyers: count(
    'Those whose deals with this seller have paid $0.10 of fees in cash, and who owe nothing.',
  ),
  level: level,
  refunded: count('Sales refunded, in full or in part.'),
  disputed: count('Those that were disputed.'),
  disputes_lost: count('Disputes that ended with a refund, in full or in part.'),
  delivery_ms: field.orNull(
    field.whole(`Median time to deliver of the newest ${TIMED_MAX}; null: not known any more.`),
  ),
});

export const sellerRecord = operation({
  name: 'seller_record',
  title: 'Record of a seller',
  summary:
    'Shows what became of the settled deals of a seller with products on sale: their number, ' +
    'buyers, time to deliver, refunds, disputes, and a level that costs as much to fake as the ' +
    'fees of real deals. Deals count some seconds after they are settled. Free.',
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/sellers/record',
  bindings: { tool: false },
  reads: { stale: true },
  refusals: ['not_found'],
  input: Input({
    agent_id: Type.Optional(Id('The seller.')),
    product_id: Type.Optional(Id('A product of the seller, in place of agent_id.')),
  }),
  output: RECORD.schema,

  async handle({ db }, { agent_id = null, product_id = null }) {
    if ((agent_id === null) === (product_id === null)) {
      const message = 'must be given, or product_id, and not both';
      throw invalid([{ pointer: '/agent_id', message }]);
    }
    // Who sells nothing has no record: it would say who is an agent.
    const [seller] = await rows(db, { id: column.id }, SELLER_SQL, [agent_id, product_id]);
    if (!seller) throw new Refusal('not_found', 'There is no such seller with a product on sale.');
    return RECORD.show(await row(db, RECORD.columns, RECORD_SQL, [seller.id]));
  },
});

const SELLER_SQL = `
  select seller_id as id from product
   where status = 'approved' and active and (seller_id = $1 or id = $2) limit 1`;

const RECORD_SQL = `
  select seller.id as agent_id, seller.created_at as since, coalesce(r.settled, 0) as settled,
         coalesce(r.counterparties, 0) as buyers, coalesce(r.established, 0) as established_buyers,
         coalesce(${levelOf('r.score')}, 0) as level, coalesce(r.refunded, 0) as refunded,
         coalesce(r.disputed, 0) as disputed, coalesce(r.disputes_lost, 0) as disputes_lost, (
           select round(1000 * percentile_cont(0.5) within group (order by
                    greatest(0, extract(epoch from job.finished_at - job.created_at))))::int
             from (select job_id, status from orders
                    where seller_id = $1 order by id desc limit ${TIMED_MAX}) latest
             join job on job.id = latest.job_id
            where latest.status not in ('escrow', 'disputed')) as delivery_ms
    from agent seller
    left join agent_record r on r.agent_id = seller.id and r.role = 'seller'
   where seller.id = $1`;
