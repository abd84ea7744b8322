import type { Config } from '../../composition/config.ts';
import { column, rows, type Database, type Row } from '../../platform/rows.ts';
import { shortageOf } from './hot_wallet.ts';
import type { WalletState } from './payout_gateway.ts';

/** Maximum withdrawals of one tree in a round, so that unpayable ones do not fill the round. */
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

/** Finds due withdrawals, oldest first. Those of a suspended agent wait until it is resumed. */
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

/** The sum of open payments: they have a nonce and are not on the chain yet. */
export interface OpenSum {
  readonly usdc: bigint;
  readonly payments: number;
}

interface WalletLimits {
  readonly state: WalletState;
  readonly open: OpenSum;
  readonly feeMax: bigint;
  /** Maximum withdrawals that may begin. */
  readonly max: number;
}

/**
 * Selects the withdrawals that the wallet can pay beside all open payments, oldest first. One that
 * it cannot pay delays its own tree and no other. `fault` is the reason for the first of those.
 */
export function selectPayable(
  due: readonly DueWithdrawal[],
  { state, open, feeMax, max }: WalletLimits,
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
