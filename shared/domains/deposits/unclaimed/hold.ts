import type { Config } from '../../../composition/config.ts';
import { fromUsd, type Micros } from '../../../kernel/money.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { rows } from '../../../platform/rows.ts';
import type { ChainReceipt } from '../chain/await_deposit.ts';
import { creditDeposit, findDeposit, notifyOf } from '../credit.ts';
import type { Deposit } from '../deposit.ts';
import { paymentOf, STORED_PAYMENT, STORED_PAYMENT_SQL } from '../stored_receipt.ts';
import { suspend, type Value } from './suspend.ts';

/** Whether a payment of this value is credited at once: it is neither too small nor too large. */
export const isCreditable = ({ deposits }: Config, usd: Micros): boolean =>
  usd >= fromUsd(deposits.chainMin) && usd <= fromUsd(deposits.reviewAbove);

/** Whether a payment is held because it is too small. */
export const isTooSmall = ({ deposits }: Config, { status, usd }: Deposit): boolean =>
  status === 'held' && (usd ?? 0n) < fromUsd(deposits.chainMin);

const TOO_LARGE = 'It is so large that operators have to check it.';

/**
 * Holds a payment whose agent is known: a small one until the tree's small payments are worth
 * enough together, a large one until operators have decided. Its tree is locked.
 */
export async function hold(tx: Tx, receipt: ChainReceipt, value: Value): Promise<Deposit> {
  const { chainMin, reviewAbove } = tx.config.deposits;
  const isLarge = value.usd > fromUsd(reviewAbove);
  const why = isLarge
    ? TOO_LARGE
    : `It is worth less than $${chainMin}. Small payments are credited once they reach that.`;
  const kept = await suspend(tx, receipt, { status: 'held', why, value });
  const deposit = await findDeposit(tx, receipt);
  if (kept?.isNew) {
    await notifyOf(tx, deposit, 'deposit.held', { tx_id: receipt.txId, reason: why });
  }
  if (isLarge) return deposit;
  await creditSmall(tx, receipt.rootId);
  return findDeposit(tx, receipt);
}

/** Credits the small payments of a tree if they are worth enough together. It is locked. */
async function creditSmall(tx: Tx, rootId: number): Promise<void> {
  const min = fromUsd(tx.config.deposits.chainMin);
  const small = await rows(
    tx.db,
    STORED_PAYMENT,
    `select ${STORED_PAYMENT_SQL} from deposit
      where root_id = $1 and status = 'held' and usd < $2
      order by usd desc, id limit ${SMALL_MAX} for no key update`,
    [rootId, min],
  );
  if (small.reduce((sum, { usd }) => sum + usd, 0n) < min) return;
  for (const held of small) await creditDeposit(tx, paymentOf(held));
}

/** Maximum payments that are added up. */
const SMALL_MAX = 500;
