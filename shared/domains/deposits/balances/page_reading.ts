import type { BalanceReader, ExplainedChange } from '../chain/deposit_chain.ts';
import type { Page } from './pages.ts';

/** Balances of a page after a block, and what changed them. */
export interface PageReading {
  readonly page: number;
  /** The block that it was read after before; null: it was not. */
  readonly from: number | null;
  readonly to: number;
  /** Whether it is compared from now on, with what it holds. */
  readonly isBase: boolean;
  /** Balances to record. */
  readonly held: readonly HeldNow[];
  /** Changes that recorded payments do not explain. */
  readonly changes: readonly ExplainedChange[];
  /** Balances that no listed change explains: the page is read from the same block again. */
  readonly differs: readonly HeldNow[];
}

export interface HeldNow {
  readonly asset: string;
  readonly address: string;
  readonly amount: bigint;
  /** Balance before it was compared, if nothing is recorded of it yet. */
  readonly base: bigint;
}

export interface ReadingOptions {
  readonly to: number;
  readonly assets: readonly string[];
  /** A new chain may be in place of the one that was read before. */
  readonly isSandbox: boolean;
}

/** The present balances of a page, and whether recorded payments explain each. */
export async function statesOf(
  reader: BalanceReader,
  page: Page,
  { asset, to }: { readonly asset: string; readonly to: number },
) {
  const now = await reader.held(to, asset, page.addresses);
  return page.addresses.map((address, n) => stateOf(page, { asset, address, amount: now[n]! }, to));
}

/** The state of one balance. It is explained if recorded payments make the difference. */
function stateOf({ stored, known }: Page, one: Omit<HeldNow, 'base'>, to: number) {
  const isOfOne = ({ asset, address }: { asset: string; address: string }) =>
    asset === one.asset && address === one.address;
  const payments = known.filter((paid) => isOfOne(paid) && paid.position <= to);
  const recorded = stored.find(isOfOne)?.amount;
  const before = recorded ?? 0n;
  const paid = payments.reduce((sum, { amount }) => sum + amount, 0n);
  return {
    one,
    stored: recorded,
    payments,
    isExplained: before + paid === one.amount,
    isKept: before !== one.amount || payments.length > 0,
  };
}
export type BalanceState = ReturnType<typeof stateOf>;
