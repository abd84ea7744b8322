import type { Account } from 'algosdk';

import { GENESIS_HASH } from '../../../sandbox/algorand/genesis.ts';
import { startPrices } from '../../../sandbox/prices/prices.ts';
import { openAlgorandRig, type AlgorandRig } from '../../sandbox/algorand/algorand_rig.ts';

/** Algorand with an address that is paid to, and the settings of a platform that takes it. */
export interface PaidAlgorand extends AlgorandRig {
  readonly env: Record<string, string>;
  readonly ours: Account;
  readonly payer: Account;
  /** From the payer to us; the id. */
  pay(fields: Parameters<AlgorandRig['payment']>[2]): Promise<string>;
}

export async function openPaidAlgorand(): Promise<PaidAlgorand> {
  const [rig, prices] = await Promise.all([openAlgorandRig(), startPrices()]);
  const [ours, payer] = [await rig.account(), await rig.account(1_000_000_000)];
  return {
    ...rig,
    ours,
    payer,
    env: {
      SANDBOX: 'algorand',
      ALGO_GENESIS_HASH: GENESIS_HASH.toString('base64'),
      ALGO_DEPOSIT_ADDRESS: ours.addr.toString(),
      ALGO_INDEXER_URLS: rig.node.indexerUrl,
      PRICE_SOURCES: prices.sources,
      EGRESS_ALLOW: new URL(prices.url).host,
    },
    pay: async (fields) => (await rig.send(await rig.payment(payer, ours, fields), payer)).id,
    async close() {
      await Promise.all([rig.close(), prices.close()]);
    },
  };
}
