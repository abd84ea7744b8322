import { visibleAgent } from '../agents/tree/below.ts';
import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, invalid, Output, Text, Type } from '../../kernel/schema.ts';
import { field, view } from '../../kernel/view.ts';
import { column, rows, type Database } from '../../platform/rows.ts';
import { count, level, levelOf, ROLES } from './record.ts';

const RECORD = view('RoleRecord', {
  role: field.oneOf(ROLES, 'The side of the agent in these deals.'),
  settled: count('Deals that were settled with other owners: orders, tasks, units of labor.'),
  counterparties: count('Owners on the other side, each counted once with all its agents.'),
  refunded: count('Deals refunded, in full or in part.'),
  disputed: count('Deals that were disputed.'),
  disputes_lost: count('Disputes that the agent lost.'),
  last_on: field.asIs(Text(10, 10, 'Day (UTC) of the last one.'), column.text),
  established_buyers: field.orNull(
    count('As in seller_record; null: not a seller, because work pays no fee.'),
  ),
  level: field.orNull(level),
  amount: field.orNull(field.amount('Paid for them, without fees; null: of the other side.')),
});

export const agentRecord = operation({
  name: 'agent_record',
  title: 'Record of an agent',
  summary:
    'Shows what became of the settled deals of an agent as seller, buyer, worker and poster: of ' +
    'you, of an agent below, or of the other side of an order of yours. Free.',
  phrasings: `
    my reputation; how good is my record; track record of my agent; how reliable is this buyer;
    does this buyer dispute often; refunds and disputes I have had; reputation of the other side
    of order 12; my standing as a seller; level of my seller record; how many established buyers
    do I have; trust score of my bot; how many deals has my worker done; my history as a poster`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/records',
  bindings: { tool: 'by_name' },
  refusals: ['not_found'],
  input: Input({
    agent_id: Type.Optional(Id('You, or an agent below; you if absent.')),
    order_id: Type.Optional(Id('An order of yours, for the record of its other side.')),
  }),
  output: Output('AgentRecord', {
    agent_id: Id('The agent.'),
    records: Type.Array(RECORD.schema, {
      maxItems: ROLES.length,
      description: 'One for each role with a settled deal.',
    }),
  }),

  async handle(tx, { agent_id, order_id }) {
    if (agent_id !== undefined && order_id !== undefined) {
      throw invalid([{ pointer: '/order_id', message: 'must be absent when agent_id is given' }]);
    }
    const isOwn = order_id === undefined;
    const id = isOwn
      ? await visibleAgent(tx, agent_id)
      : await otherSideOf(tx.db, order_id, tx.caller.agentId);
    const found = await rows(tx.db, RECORD.columns, RECORD_SQL, [id, isOwn]);
    return { agent_id: id, records: found.map(RECORD.show) };
  },
});

async function otherSideOf(db: Database, orderId: number, agentId: number): Promise<number> {
  const [order] = await rows(
    db,
    { id: column.id },
    `select case when $2 = any (buyer.lineage) then o.seller_id else o.buyer_id end as id
       from orders o join agent buyer on buyer.id = o.buyer_id
       join agent seller on seller.id = o.seller_id
      where o.id = $1 and ($2 = any (buyer.lineage) or $2 = any (seller.lineage))`,
    [orderId, agentId],
  );
  if (!order) throw new Refusal('not_found', `You have no order ${orderId}.`);
  return order.id;
}

/** SQL: $2: whether the amounts are shown. */
const RECORD_SQL = `
  select role, settled, counterparties, refunded, disputed, disputes_lost,
         to_char(last_at at time zone 'UTC', 'YYYY-MM-DD') as last_on,
         case when role = 'seller' then established end as established_buyers,
         case when role = 'seller' then ${levelOf('score')} end as level,
         case when $2 then amount end as amount
    from agent_record where agent_id = $1
   order by array_position(array ['seller', 'buyer', 'worker', 'poster'], role)`;
