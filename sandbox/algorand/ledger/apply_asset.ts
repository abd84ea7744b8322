import type { AssetConfigTransactionFields, Transaction } from 'algosdk';

import type { Effects } from './effects.ts';
import { rejected } from './rejected.ts';
import { accountOf, setHolding, type AssetParams, type State } from './state.ts';

/** Roles of an asset that may be changed, unless they are empty. */
const ROLES = ['manager', 'reserve', 'freeze', 'clawback'] as const;

/** Creates an asset, gives its roles to others, or destroys it. */
export function applyAssetConfig(state: State, txn: Transaction, nextId: bigint): Effects {
  const fields = txn.assetConfig!;
  const sender = txn.sender.toString();
  const { assetIndex: asset } = fields;
  if (!asset) {
    const params = paramsOf(fields, sender);
    state.assets.set(nextId, params);
    setHolding(state, sender, nextId, { amount: params.total, isFrozen: false });
    return { assetIndex: nextId };
  }
  const params = state.assets.get(asset);
  if (!params) throw rejected(`asset ${asset} does not exist or has been deleted`);
  if (params.manager !== sender) {
    throw rejected('this transaction should be issued by the manager of the asset');
  }
  const isDestroyed = !fields.total && ROLES.every((role) => !fields[role]);
  if (isDestroyed) destroy(state, asset, params);
  else state.assets.set(asset, { ...params, ...rolesOf(fields, params) });
  return {};
}

export function applyAssetFreeze(state: State, txn: Transaction): Effects {
  const { assetIndex: asset, freezeAccount, frozen: isFrozen } = txn.assetFreeze!;
  const address = freezeAccount.toString();
  if (state.assets.get(asset)?.freeze !== txn.sender.toString()) {
    throw rejected(`freeze not allowed: sender is not the freeze address of ${asset}`);
  }
  const holding = accountOf(state, address).holdings.get(asset);
  if (!holding) throw rejected(`asset not found in account ${address}`);
  setHolding(state, address, asset, { ...holding, isFrozen });
  return {};
}

/** Maximum bytes; for the decimals, the maximum number. */
const LIMITS = { unitName: 8, assetName: 32, assetURL: 96, decimals: 19 } as const;

function paramsOf(fields: AssetConfigTransactionFields, creator: string): AssetParams {
  const { total, decimals, defaultFrozen, unitName, assetName, assetURL } = fields;
  for (const [name, text] of Object.entries({ unitName, assetName, assetURL })) {
    const most = LIMITS[name as 'unitName'];
    const bytes = Buffer.byteLength(text ?? '');
    if (bytes > most) throw rejected(`transaction asset ${name} too big: ${bytes} > ${most}`);
  }
  if (decimals > LIMITS.decimals) {
    throw rejected(`transaction asset decimals is too high (max is ${LIMITS.decimals})`);
  }
  return {
    creator,
    total,
    decimals,
    defaultFrozen,
    unitName,
    name: assetName,
    url: assetURL,
    metadataHash: fields.assetMetadataHash,
    ...Object.fromEntries(ROLES.map((role) => [role, fields[role]?.toString()])),
  };
}

/** The roles after a change: a role that nobody has stays so. */
const rolesOf = (fields: AssetConfigTransactionFields, params: AssetParams) =>
  Object.fromEntries(ROLES.map((role) => [role, params[role] && fields[role]?.toString()]));

function destroy(state: State, asset: bigint, { creator, total }: AssetParams): void {
  if (accountOf(state, creator).holdings.get(asset)?.amount !== total) {
    throw rejected('cannot destroy asset: creator is holding only a part of it');
  }
  state.assets.delete(asset);
  setHolding(state, creator, asset);
}
