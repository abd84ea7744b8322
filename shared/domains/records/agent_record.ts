import { visibleAgent } from '../agents/tree/below.ts';
import { toUsd } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import {
  Amount,
  Id,
  Input,
  invalid,
  Nullable,
  OneOf,
  Output,
  Text,
  Type,
} from '../../kernel/schema.ts';
import { column, oneOf, rows, type Database } from '../../platform/rows.ts';
import { Count, Level, levelOf, ROLES, type Role } from './record.ts';

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
    records: Type.Array(
      Output('RoleRecord', {
        role: OneOf(ROLES, 'The side of the agent in these deals.'),
        settled: Count('Deals that were settled with other owners: orders, tasks, units of labor.'),
        counterparties: Count('Owners on the other side, each counted once with all its agents.'),
        refunded: Count('Deals refunded, in full or in part.'),
        disputed: Count('Deals that were disputed.'),
        disputes_lost: Count('Disputes that the agent lost.'),
        last_on: Text(10, 10, 'Day (UTC) of the last one.'),
        established_buyers: Nullable(
          Count('As in seller_record; null: not a seller, because work pays no fee.'),
        ),
        level: Nullable(Level),
        amount: Nullable(Amount('Paid for them, without fees; null: of the other side.')),
      }),
      { maxItems: ROLES.length, description: 'One for each role with a settled deal.' },
    ),
  }),

  async handle(tx, { agent_id, order_id }) {
    if (agent_id !== undefined && order_id !== undefined) {
      throw invalid([{ pointer: '/order_id', message: 'must be absent when agent_id is given' }]);
    }
    const id =
      order_id === undefined
        ? await visibleAgent(tx, agent_id)
        : await otherSideOf(tx.db, order_id, tx.caller.agentId);
    const found = await rows(tx.db, RECORD, RECORD_SQL, [id]);
    return {
      agent_id: id,
      records: found.map(({ last_at, established, level, amount, ...record }) => ({
        ...record,
        last_on: last_at.toISOString().slice(0, 10),
        established_buyers: record.role === 'seller' ? established : null,
        level: record.role === 'seller' ? level : null,
        amount: order_id === undefined ? toUsd(amount) : null,
      })),
    };
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

const RECORD = {
  role: oneOf<Role>(),
  settled: column.int,
  counterparties: column.int,
  established: column.int,
  refunded: column.int,
  disputed: column.int,
  disputes_lost: column.int,
  level: column.int,
  amount: column.micros,
  last_at: column.time,
};
const RECORD_SQL = `
  select role, settled, counterparties, established, refunded, disputed, disputes_lost,
         ${levelOf('score')} as level, amount, last_at
    from agent_record where agent_id = $1
   order by array_position(array ['seller', 'buyer', 'worker', 'poster'], role)`;
