import { toUsd } from '../../kernel/money.ts';
import {
  column,
  execute,
  nullable,
  row,
  rows,
  type Database,
  type Row,
} from '../../platform/rows.ts';
import { costOf, type WalletState } from './payout_gateway.ts';

const HOT_WALLET = {
  id: column.id,
  next_nonce: column.int,
  fault: nullable(column.text),
};
export type HotWallet = Row<typeof HOT_WALLET>;

/** Locks the wallet's row, which gives out its nonces. Inserts it when the wallet is new. */
export async function lockHotWallet(db: Database, state: WalletState): Promise<HotWallet> {
  const { chainId, address, used, finalBlock } = state;
  await execute(
    db,
    `insert into hot_wallet (chain_id, address, next_nonce, first_nonce, compared_to)
     values ($1, $2, $3, $3, $4) on conflict (chain_id, address) do nothing`,
    [chainId, address, used, finalBlock],
  );
  return row(
    db,
    HOT_WALLET,
    `select id, next_nonce, fault from hot_wallet
      where chain_id = $1 and address = $2 for no key update`,
    [chainId, address],
  );
}

/** The money and gas that payments need. */
interface Requirement {
  /** Sum of payments not on the chain yet, and the one to begin. */
  readonly usdc: bigint;
  readonly payments: number;
  readonly feeMax: bigint;
}

/** The fault that stops payments from this wallet; undefined: there is none. */
export const faultOf = (
  { next_nonce }: HotWallet,
  { used }: Pick<WalletState, 'used'>,
): string | undefined =>
  used > next_nonce
    ? `It has sent ${used} transactions, but this marketplace has used ${next_nonce} nonces: ` +
      'something else pays from it. Set another key: nothing else may use this wallet.'
    : undefined;

/** The shortage that stops a payment; undefined: there is none. */
export function shortageOf(state: WalletState, needed: Requirement): string | undefined {
  const { usdc, native, fees } = state;
  if (fees.max > needed.feeMax) {
    return `Gas costs ${fees.max} wei a unit, above BASE_GWEI_MAX.`;
  }
  if (usdc < needed.usdc) {
    return `It has $${toUsd(usdc)} of USDC, and open payments need $${toUsd(needed.usdc)}.`;
  }
  const gas = costOf(state) * BigInt(needed.payments);
  return native < gas ? `It has ${native} wei for gas, and needs ${gas}.` : undefined;
}

/** Records the wallet's fault for operators, or its end. */
export async function noteFault(
  db: Database,
  { id, fault: before }: HotWallet,
  fault: string | null,
): Promise<void> {
  if (before === fault) return;
  await execute(
    db,
    `update hot_wallet
        set fault = $2, faulted_at = case when $2::text is not null then coalesce(faulted_at, now())
                                     end
      where id = $1`,
    [id, fault],
  );
}

interface Begun {
  readonly id: number;
  readonly agent_id: number;
  readonly amount: bigint;
}

/**
 * Gives the withdrawal the next nonce of the wallet. From then on it cannot be cancelled.
 * Undefined: it was cancelled, or has begun, meanwhile.
 */
export async function begin(
  db: Database,
  wallet: HotWallet,
  id: number,
): Promise<Begun | undefined> {
  const [begun] = await rows(
    db,
    { id: column.id, agent_id: column.id, amount: column.micros },
    `update withdrawal set status = 'processing', wallet_id = $2, nonce = $3, started_at = now()
      where id = (select id from withdrawal where id = $1 and status = 'requested'
                     for no key update skip locked)
     returning id, agent_id, amount`,
    [id, wallet.id, wallet.next_nonce],
  );
  if (!begun) return undefined;
  wallet.next_nonce += 1;
  await execute(db, 'update hot_wallet set next_nonce = $2 where id = $1', [
    wallet.id,
    wallet.next_nonce,
  ]);
  return begun;
}
