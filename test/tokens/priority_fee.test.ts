import { expect } from 'chai';

import { FINAL_AFTER } from '../../sandbox/solana/slots.ts';
import { tokenSettings } from '../../shared/domains/tokens/settings.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { openCollections } from '../../workers/gateways/solana/collections.ts';
import { UNITS_MAX } from '../../workers/gateways/solana/priority_fee.ts';
import { openFaultyRpc, type FaultyRpc } from '../withdrawals/faulty_rpc.ts';
import { openCollectionRig, type CollectionRig } from './collection_rig.ts';

const LONGEST = { name: 'N'.repeat(32), symbol: 'S'.repeat(8), uri: `ipfs://${'u'.repeat(249)}` };
const FEES = 'getRecentPrioritizationFees';
/** Lamports of one signature. */
const SIGNATURE = 5_000;

describe('the priority fee of a transaction on Solana', () => {
  let solana: CollectionRig;
  let node: FaultyRpc;
  before(async () => {
    solana = await openCollectionRig();
    node = await openFaultyRpc(solana.rig.node.url);
  });
  afterEach(() => node.honest());
  after(async () => {
    node.close();
    await solana.rig.close();
  });

  const fees = (list: readonly number[]) =>
    node.on(FEES, async ([accounts]) => {
      expect(accounts).to.deep.equal([solana.wallet.publicKey.toBase58()]);
      return list.map((prioritizationFee, n) => ({ slot: n, prioritizationFee }));
    });

  /** Lamports that a collection with the longest texts has cost to be taken, and its units. */
  async function made(more: Record<string, string> = {}) {
    const env = { ...solana.env, SOLANA_RPC_URLS: node.url, ...more };
    const collections = openCollections(readEnvironment(tokenSettings, env));
    const order = { kind: 'collection', ...LONGEST } as const;
    made.count += 1;
    const { bytes, txId } = await collections.sign(order, `collection ${made.count}`);
    expect(await collections.send(bytes)).to.equal(undefined);
    solana.rig.node.advance(FINAL_AFTER);
    const found = await solana.rig.connection.getTransaction(txId, {
      maxSupportedTransactionVersion: 0,
    });
    expect(found?.meta?.err).to.equal(null);
    return { fee: found!.meta!.fee, units: found!.meta!.computeUnitsConsumed! };
  }
  made.count = 0;

  it('is none while nobody pays one, nor where it is turned off or not known', async () => {
    fees([0, 0, 0]);
    expect((await made()).fee).to.equal(SIGNATURE);
    fees([50_000]);
    expect((await made({ SOLANA_PRIORITY_FEE_MAX: '0' })).fee).to.equal(SIGNATURE);
    node.on(FEES, async () => new Error('Method not found'));
    expect((await made()).fee).to.equal(SIGNATURE);
  });

  it('is as three of four blocks of late wanted, and no more than its limit', async () => {
    fees([40_000, 0, 10_000, 1_000_000, 20_000]);
    const { fee, units } = await made();
    expect(fee).to.equal(SIGNATURE + 4_000);
    expect(units).to.be.lessThan(UNITS_MAX);
    fees([Number.MAX_SAFE_INTEGER]);
    expect((await made()).fee).to.equal(SIGNATURE + 100_000);
    expect((await made({ SOLANA_PRIORITY_FEE_MAX: '700' })).fee).to.equal(SIGNATURE + 700);
  });
});
