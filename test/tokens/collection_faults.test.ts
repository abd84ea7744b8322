// test:all: a chain fails at each step.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Transaction } from '@solana/web3.js';
import { expect } from 'chai';

import { FINAL_AFTER } from '../../sandbox/solana/slots.ts';
import { PLATFORM } from '../../shared/kernel/caller.ts';
import { audit } from '../../shared/composition/audit.ts';
import type { Gateways } from '../../shared/composition/gateways.ts';
import { perform } from '../../shared/performing/perform.ts';
import { deployCollections } from '../../shared/domains/tokens/deploy_collections.ts';
import type { TokenGateway } from '../../shared/domains/tokens/token_gateway.ts';
import { openCollections } from '../../workers/gateways/solana/collections.ts';
import { sol } from '../deposits/solana/rig.ts';
import { TestPlatform } from '../harness.ts';
import { eventsOf } from '../orders/trade.ts';
import { openFaultyRpc, type FaultyRpc } from '../withdrawals/faulty_rpc.ts';
import { faultOf } from '../withdrawals/rounds.ts';
import { create, emptied, mintsOf, openCollectionRig, shown } from './collection_rig.ts';
import type { CollectionRig } from './collection_rig.ts';
import { tokenOf } from './issuer.ts';

/** A blockhash can be named for so many slots, and the slots of finality are waited for. */
const EXPIRED = 150 + FINAL_AFTER + 1;

describe('collections, when something outside fails', () => {
  let solana: CollectionRig;
  let platform: TestPlatform;
  let agent: { id: number; key: string };
  let other: FaultyRpc;
  /** Asks the node, and another provider of it. */
  let honest: TokenGateway;
  /** Says that it has sent what it has not. */
  let losing: TokenGateway;

  before(async () => {
    solana = await openCollectionRig();
    platform = await TestPlatform.open({ env: solana.env });
    await platform.pauseWorkers();
    other = await openFaultyRpc(solana.rig.node.url);
    const rpcUrls = [...platform.config.tokens.solana!.rpcUrls, other.url];
    honest = openCollections(settingsWith({ rpcUrls, quorum: 2 }));
    losing = { ...honest, send: async () => undefined };
  });
  beforeEach(async () => {
    agent = await platform.agent({ usd: 10 });
  });
  afterEach(() => other.honest());
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    other.close();
    await solana.rig.close();
  });

  const settingsWith = (changes: object) => {
    const { tokens } = platform.config;
    return { ...tokens, solana: { ...tokens.solana!, ...changes } };
  };
  const round = (collections = honest) => {
    const call = { caller: PLATFORM, key: randomUUID(), now: new Date(), requestId: 'a test' };
    const context = { ...platform.context, gateways: { collections } as Gateways };
    const done = { finish: async () => undefined };
    return perform(context, deployCollections as never, {}, call, done);
  };
  const later = (slots: number = FINAL_AFTER) => solana.rig.node.advance(slots);
  /** One that was paid for, and of which nothing is signed. */
  const asked = async (): Promise<number> => {
    const refill = await emptied(solana);
    const answered = create(platform, agent);
    await platform.resumeWorkers();
    const { body } = await answered;
    await platform.pauseWorkers();
    await refill();
    return body.collection_id;
  };
  const count = async () => (await mintsOf(solana)).length;
  const made = (id: number) => tokenOf(platform, id);

  it('signs again only what can be taken no more, and makes it once', async () => {
    const before = await count();
    const id = await asked();
    await round(losing);
    await round(losing);
    expect(await made(id)).to.include({ status: 'submitted', attempts: 1 });
    later(140);
    await round(losing);
    expect((await made(id)).attempts).to.equal(1);
    later(EXPIRED);
    await round(losing);
    expect((await made(id)).attempts).to.equal(2);
    await round();
    later();
    await round();
    expect((await made(id)).status).to.equal('deployed');
    expect(await count()).to.equal(before + 1);
  });

  it('makes no second one when all say wrongly that the first is not there', async () => {
    const before = await count();
    const id = await asked();
    await round();
    await round();
    later(EXPIRED);
    const lying = {
      ...honest,
      fateOf: async () => ({ status: 'unknown', asOf: 10 ** 9 }) as const,
    };
    await round(lying);
    expect((await made(id)).attempts).to.equal(2);
    const [{ bytes }] = await platform.query(
      'select bytes from token_transaction where token_id = $1 and attempt = 2',
      [id],
    );
    // The address is in use.
    expect(await honest.send(bytes)).to.contain('custom program error: 0x0');
    expect(await count()).to.equal(before + 1);
    await round();
    expect((await made(id)).status).to.equal('deployed');
  });

  it('is made though somebody has sent a lamport to its address before', async () => {
    const id = await asked();
    await round();
    const [{ bytes }] = await platform.query(
      'select bytes from token_transaction where token_id = $1',
      [id],
    );
    const [transfer] = Transaction.from(Buffer.from(bytes, 'base64')).instructions;
    const mint = transfer!.keys[1]!.pubkey;
    await solana.rig.pay([sol(solana.rig.payer, mint, 1_000_000n)]);
    later();
    await round();
    later();
    await round();
    expect((await made(id)).status).to.equal('deployed');
  });

  it('believes no provider that alone does not know it, or alone does', async () => {
    const id = await asked();
    await round();
    await round();
    const forgets = async (_params: unknown, forward: () => Promise<unknown>) => ({
      ...((await forward()) as object),
      value: null,
    });
    other.on('getAccountInfo', forgets);
    other.on('getSignatureStatuses', async () => ({ context: { slot: 1 }, value: [null] }));
    later(2 * EXPIRED);
    await round();
    expect(await made(id)).to.include({ status: 'submitted', attempts: 1 });
    other.honest();
    await round();
    expect((await made(id)).status).to.equal('deployed');
  });

  it('waits while a provider does not answer that has to', async () => {
    const id = await asked();
    await round();
    await round();
    later();
    other.on('getSignatureStatuses', () => 'break');
    expect(await faultOf(round())).to.contain('does not answer');
    expect(await made(id)).to.include({ status: 'submitted' });
    const rpcUrls = [platform.config.tokens.solana!.rpcUrls[0]!, other.url];
    await round(openCollections(settingsWith({ rpcUrls, quorum: 1 })));
    expect((await made(id)).status).to.equal('deployed');
  });

  it('gives the fee back of what was never taken, and takes another', async () => {
    const id = await asked();
    await round(losing);
    for (let n = 0; n < 5; n += 1) {
      later(EXPIRED);
      await round(losing);
    }
    expect(await made(id)).to.include({ status: 'failed', attempts: 5 });
    expect(await platform.balance(agent)).to.equal(10.5);
    expect(await eventsOf(platform, agent)).to.include('collection.failed');
    expect((await shown(platform, agent)).collection.deploy_status).to.equal('failed');
    const again = await asked();
    expect(again).to.not.equal(id);
    for (let n = 0; n < 3; n += 1) {
      await round();
      later();
    }
    expect((await made(again)).status).to.equal('deployed');
  });

  it('waits for money in the wallet, and says so', async () => {
    const refill = await emptied(solana);
    const answered = create(platform, agent);
    await platform.resumeWorkers();
    const { body } = await answered;
    await platform.pauseWorkers();
    await round();
    const [{ fault }] = await platform.query('select fault from token_wallet');
    expect(fault).to.match(/^It can spend \d+ lamports, and a token needs 6500000/);
    expect((await made(body.collection_id)).status).to.equal('pending');
    await refill();
    for (let n = 0; n < 3; n += 1) {
      await round();
      later();
    }
    expect((await made(body.collection_id)).status).to.equal('deployed');
    expect((await platform.query('select fault from token_wallet'))[0].fault).to.equal(null);
  });

  it('puts no more into an account than it needs, whatever a provider says', async () => {
    const id = await asked();
    other.on('getMinimumBalanceForRentExemption', async () => 500_000_000);
    const one = openCollections(settingsWith({ rpcUrls: [other.url], quorum: 1 }));
    const order = { kind: 'collection', name: 'One', symbol: 'ONE', uri: 'ipfs://a' } as const;
    expect(await faultOf(one.sign(order, 'one'))).to.contain('500000000 lamports');
    other.honest();
    for (let n = 0; n < 3; n += 1) {
      await round();
      later();
    }
    expect((await made(id)).status).to.equal('deployed');
  });

  it('asks no provider of another network, and shows nobody what is in the file of the key', async () => {
    const foreign = openCollections(settingsWith({ genesis: '1'.repeat(32) }));
    expect(await faultOf(foreign.issuer())).to.contain('another network');
    const keyFile = join(mkdtempSync(join(tmpdir(), 'odd-')), 'key');
    writeFileSync(keyFile, 'secret words of another wallet');
    const odd = openCollections(settingsWith({ keyFile }));
    expect(await faultOf(odd.issuer()))
      .to.contain('holds no key')
      .and.to.not.contain('secret');
  });
});
