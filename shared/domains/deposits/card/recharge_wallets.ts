import { isAttemptDue, sweep } from '../../../jobs/timers/sweep.ts';
import { newJobId } from '../../../jobs/jobs.ts';
import { timer } from '../../../jobs/timers/timer.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Output, Type } from '../../../kernel/schema.ts';
import { spendableIs } from '../../ledger/balance.ts';
import { lockTreasuries } from '../../ledger/ledger.ts';
import { column, execute, rows, type Row } from '../../../platform/rows.ts';
import { chargedBy } from './auto_recharge.ts';
import { chargeSavedCard } from './charge_saved_card.ts';

const NAME = 'recharge_wallets';
const TREES_MAX = 100;

/**
 * Begins a charge for each wallet that has fallen below its threshold. The request is committed
 * before it is sent to Stripe.
 */
export const rechargeWallets = timer({
  name: NAME,
  title: 'Recharge wallets',
  summary: 'Internal: begins charges for wallets that have fallen below their threshold.',
  everyMs: 5_000,
  output: Output({
    begun: Type.Integer({ description: 'Number of charges.' }),
    failed: Type.Integer({ description: 'Number that could not be begun; see list_faults.' }),
  }),

  async handle(tx) {
    if (!tx.config.deposits.card) return { begun: 0, failed: 0 };
    const found = await findDue(tx);
    if (found.length === 0) return { begun: 0, failed: 0 };
    const ids = found.map(({ id }) => id);
    await lockTreasuries(tx.db, ids);
    const { done, failed } = await sweep(tx, {
      operation: NAME,
      items: await findDue(tx, ids), // Again, because a credit may have come before the lock.
      async work(trees) {
        for (const tree of trees) await begin(tx, tree);
      },
    });
    return { begun: done, failed };
  },
});

const DUE = {
  id: column.id,
  amount: column.micros,
  customer_id: column.text,
  method_id: column.text,
};

/**
 * Trees below their threshold that have no charge in flight and are within the limit of the month.
 * A tree that owes for a reversed payment is not charged automatically.
 */
const findDue = ({ db }: Tx, among?: readonly number[]) =>
  rows(
    db,
    DUE,
    `select a.root_id as id, a.amount, c.customer_id, c.method_id
       from auto_recharge a join saved_card c using (root_id)
       join agent on agent.id = a.root_id and agent.status = 'active'
      where a.enabled and a.not_before <= now() and ${spendableIs('a.root_id', '< a.threshold')}
        and not exists (select from recharge r
                         where r.root_id = a.root_id and r.status = 'charging')
        and ${chargedBy('a.root_id')} + a.amount <= a.monthly_limit
        and ($2::bigint[] is null or a.root_id = any ($2))
        and ${isAttemptDue(NAME, 'a.root_id')}
      order by a.root_id limit $1`,
    [TREES_MAX, among ?? null],
  );

async function begin(tx: Tx, tree: Row<typeof DUE>): Promise<void> {
  const id = newJobId(tx.now);
  await execute(
    tx.db,
    `with payment as (
       insert into card_payment (id, agent_id, root_id, amount, saves_card)
       values ($1, $2, $2, $3, false))
     insert into recharge (id, root_id, customer_id, method_id) values ($1, $2, $4, $5)`,
    [id, tree.id, tree.amount, tree.customer_id, tree.method_id],
  );
  await tx.enqueue(chargeSavedCard, { recharge_id: id }, { cause: `recharge:${id}` });
}
