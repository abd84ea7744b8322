import type { Config } from '../composition/config.ts';
import { column, rows, type Database, type Row } from '../platform/rows.ts';
import { shortageOf } from './hot_wallet.ts';
import type { WalletState } from './payout_gateway.ts';

/** Of one tree in a round, and of all: those that cannot be paid fill no round of others. */
const TREE_MAX = 5;
const DUE_MAX = 200;

const DUE = {
  id: column.id,
  root_id: column.id,
  address: column.text,
  amount: column.micros,
};
/** A withdrawal that may begin now. */
export type DueWithdrawal = Row<typeof DUE>;

/** The oldest first. A withdrawal of a suspended agent waits until it is resumed. */
export const findDue = (db: Database, { withdrawals }: Config): Promise<DueWithdrawal[]> =>
  rows(db, DUE, DUE_SQL, [withdrawals.base.chainId, TREE_MAX, DUE_MAX]);

const DUE_SQL = `
  select id, root_id, address, amount
    from (select w.id, w.root_id, w.address, w.amount,
                 row_number() over (partition by w.root_id order by w.id) as place
            from withdrawal w join agent on agent.id = w.root_id
           where w.closed_at is null and w.status = 'requested' and w.chain_id = $1
             and w.not_before <= now() and (w.review is null or w.review = 'approved')
             and agent.status = 'active') due
   where place <= $2 order by id limit $3`;

/** What the wallet has to pay besides: payments that have a nonce and are not on the chain. */
export interface OpenSum {
  readonly usdc: bigint;
  readonly payments: number;
}

interface Ground {
  readonly state: WalletState;
  readonly open: OpenSum;
  readonly feeMax: bigint;
  /** How many may begin. */
  readonly max: number;
}

/**
 * Which of these the wallet has the money for, beside all that is open, the oldest first. One that
 * it has too little for holds up its own tree and no other. `fault`: why the first of those waits.
 */
export function affordable(
  due: readonly DueWithdrawal[],
  { state, open, feeMax, max }: Ground,
): { chosen: DueWithdrawal[]; fault?: string | undefined } {
  const chosen: DueWithdrawal[] = [];
  const short = new Set<number>();
  let { usdc } = open;
  let fault: string | undefined;
  for (const one of due) {
    if (chosen.length === max) break;
    if (short.has(one.root_id)) continue;
    const payments = open.payments + chosen.length + 1;
    const shortage = shortageOf(state, { usdc: usdc + one.amount, payments, feeMax });
    if (shortage) {
      fault ??= shortage;
      short.add(one.root_id);
    } else {
      usdc += one.amount;
      chosen.push(one);
    }
  }
  return { chosen, fault };
}
