import type { StateValue } from '../program.ts';
import { openTable, type Table } from './table.ts';

/** The accounts of the network. Amounts of ALGO are in millionths. */
export interface State {
  readonly accounts: Table<string, Account>;
  readonly assets: Table<bigint, AssetParams>;
  readonly applications: Table<bigint, Application>;
}

interface Account {
  readonly microAlgos: bigint;
  /** Address whose signatures count for it; absent: its own. */
  readonly authAddress?: string;
  readonly holdings: ReadonlyMap<bigint, Holding>;
  /** Balance that it must keep for applications and boxes, beside the base amount. */
  readonly reserved: bigint;
}

export interface Holding {
  readonly amount: bigint;
  readonly isFrozen: boolean;
}

export interface AssetParams {
  readonly creator: string;
  readonly total: bigint;
  readonly decimals: number;
  readonly defaultFrozen: boolean;
  readonly unitName?: string | undefined;
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly metadataHash?: Uint8Array | undefined;
  readonly manager?: string | undefined;
  readonly reserve?: string | undefined;
  readonly freeze?: string | undefined;
  readonly clawback?: string | undefined;
}

export interface Application {
  readonly creator: string;
  readonly approvalProgram: Uint8Array;
  readonly clearProgram: Uint8Array;
  readonly extraPages: number;
  readonly ints: number;
  readonly byteSlices: number;
  readonly global: ReadonlyMap<string, StateValue>;
  readonly boxes: ReadonlyMap<string, Uint8Array>;
}

const KEPT = 100_000n;
const NOBODY: Account = Object.freeze({ microAlgos: 0n, holdings: new Map(), reserved: 0n });

export const openState = (): State => ({
  accounts: openTable(),
  assets: openTable(),
  applications: openTable(),
});

/** A trial of changes; `merge` makes them final. */
export const layerOf = (state: State): State => ({
  accounts: state.accounts.layer(),
  assets: state.assets.layer(),
  applications: state.applications.layer(),
});

export function mergeLayer({ accounts, assets, applications }: State): void {
  accounts.merge();
  assets.merge();
  applications.merge();
}

export const accountOf = ({ accounts }: State, address: string): Account =>
  accounts.get(address) ?? NOBODY;

export function changeAccount(
  state: State,
  address: string,
  changes: (account: Account) => Partial<Account>,
): void {
  const account = accountOf(state, address);
  state.accounts.set(address, { ...account, ...changes(account) });
}

/** Without a holding: the account does not hold this asset. */
export function setHolding(state: State, address: string, asset: bigint, holding?: Holding): void {
  changeAccount(state, address, ({ holdings }) => {
    const changed = new Map(holdings);
    if (holding) changed.set(asset, holding);
    else changed.delete(asset);
    return { holdings: changed };
  });
}

/** Balance that an account must keep, unless it is closed. */
export const minBalanceOf = ({ holdings, reserved }: Account): bigint =>
  KEPT * BigInt(1 + holdings.size) + reserved;

export const isEmpty = ({ microAlgos, holdings, reserved }: Account): boolean =>
  microAlgos === 0n && holdings.size === 0 && reserved === 0n;
