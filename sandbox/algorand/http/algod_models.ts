import { encodeMsgpack, getApplicationAddress, modelsv2 } from 'algosdk';

import type { TakenTransaction } from '../ledger/chain.ts';
import {
  accountOf,
  minBalanceOf,
  type Application,
  type AssetParams,
  type State,
} from '../ledger/state.ts';
import { defined } from './defined.ts';

/** The state of the ledger, in the models of algod. */

export const assetModel = (index: bigint, params: AssetParams) =>
  new modelsv2.Asset({ index, params: assetParamsModel(params) });

export const assetParamsModel = ({ ...params }: AssetParams) =>
  new modelsv2.AssetParams(defined({ ...params }));

export function applicationModel(id: bigint, application: Application): modelsv2.Application {
  const { creator, approvalProgram, clearProgram, extraPages, ints, byteSlices } = application;
  return new modelsv2.Application({
    id,
    params: new modelsv2.ApplicationParams({
      creator,
      approvalProgram,
      clearStateProgram: clearProgram,
      extraProgramPages: extraPages,
      globalStateSchema: new modelsv2.ApplicationStateSchema({
        numUint: ints,
        numByteSlice: byteSlices,
      }),
      globalState: [...application.global].map(
        ([key, value]) =>
          new modelsv2.TealKeyValue({
            key: Buffer.from(key, 'hex').toString('base64'),
            value: new modelsv2.TealValue(
              typeof value === 'bigint'
                ? { type: 2, uint: value, bytes: '' }
                : { type: 1, uint: 0, bytes: Buffer.from(value).toString('base64') },
            ),
          }),
      ),
    }),
  });
}

export function accountModel(state: State, address: string, round: bigint): modelsv2.Account {
  const account = accountOf(state, address);
  const { microAlgos, holdings, authAddress } = account;
  const assets = state.assets.entries().filter(([, { creator }]) => creator === address);
  const applications = state.applications.entries().filter(([, app]) => app.creator === address);
  const boxes = boxesOf(state, address);
  return new modelsv2.Account(
    defined({
      address,
      amount: microAlgos,
      amountWithoutPendingRewards: microAlgos,
      minBalance: minBalanceOf(account),
      pendingRewards: 0,
      rewards: 0,
      round,
      status: 'Offline',
      totalAppsOptedIn: 0,
      totalAssetsOptedIn: holdings.size,
      totalCreatedApps: applications.length,
      totalCreatedAssets: assets.length,
      totalBoxes: boxes.length,
      totalBoxBytes: boxes.reduce((sum, [name, value]) => sum + name.length / 2 + value.length, 0),
      assets: [...holdings].map(
        ([assetId, { amount, isFrozen }]) =>
          new modelsv2.AssetHolding({ amount, assetId, isFrozen }),
      ),
      createdAssets: assets.map(([id, params]) => assetModel(id, params)),
      createdApps: applications.map(([id, app]) => applicationModel(id, app)),
      authAddr: authAddress,
    }),
  );
}

function boxesOf(state: State, address: string): [string, Uint8Array][] {
  const app = state.applications
    .entries()
    .find(([id]) => getApplicationAddress(id).toString() === address);
  return app ? [...app[1].boxes] : [];
}

/** `lastRound` is the node's, because a transaction of a later round still waits. */
export function pendingModel(
  { signed, effects, round }: TakenTransaction,
  lastRound: bigint,
): modelsv2.PendingTransactionResponse {
  const { logs } = effects;
  return new modelsv2.PendingTransactionResponse(
    defined({
      poolError: '',
      txn: signed,
      confirmedRound: round <= lastRound ? round : undefined,
      applicationIndex: effects.applicationIndex,
      assetIndex: effects.assetIndex,
      closingAmount: effects.closingAmount,
      assetClosingAmount: effects.assetClosingAmount,
      logs: logs && logs.length > 0 ? [...logs] : undefined,
    }),
  );
}

/** The bytes of a group as they are sent. */
export const groupBytes = (group: modelsv2.SimulateRequestTransactionGroup): Uint8Array =>
  Buffer.concat(group.txns.map((signed) => encodeMsgpack(signed)));
