import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { eventsOf } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';
import { create, GROUP, mintsOf, openCollectionRig, shown, untilMade } from './collection_rig.ts';
import type { CollectionRig } from './collection_rig.ts';

describe('collections on Solana', () => {
  let solana: CollectionRig;
  let platform: TestPlatform;
  before(async () => {
    solana = await openCollectionRig();
    platform = await TestPlatform.open({ env: solana.env });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await solana.rig.close();
  });

  it('are shown with what one costs, made with exactly what was asked for, and shown then', async () => {
    const agent = await platform.agent({ usd: 5 });
    const none = { network: 'sandbox', fee: 2, collection: null };
    expect(await shown(platform, agent)).to.deep.equal(none);
    const { status, body } = await create(platform, agent);
    expect([status, body.deploy_status, body.mint, body.fee]).to.deep.equal(
      [200, 'pending', null, 2],
      JSON.stringify(body),
    );
    const { deploy_status } = (await shown(platform, agent)).collection;
    expect(deploy_status).to.be.oneOf(['pending', 'submitted']); // a worker has it already
    await untilMade(platform, solana, body.collection_id);
    const { collection } = await shown(platform, agent);
    const { collection_id } = body;
    expect(collection).to.deep.include({ ...GROUP, collection_id, deploy_status: 'deployed' });
    const made = (await mintsOf(solana)).filter(({ address }) => address === collection.mint);
    const { address: mint } = made[0]!;
    const wallet = solana.wallet.publicKey.toBase58();
    expect(made).to.deep.equal([
      {
        address: mint,
        minter: null,
        supply: 0n,
        decimals: 0,
        freezer: null,
        pointer: [null, mint],
        groupPointer: [null, mint],
        metadata: { owner: null, mint, texts: [GROUP.name, GROUP.symbol, GROUP.uri] },
        group: { owner: wallet, mint, size: 0n },
      },
    ]);
    const said = await solana.rig.connection.getSignatureStatus(collection.tx_id);
    expect(said.value).to.include({ err: null, confirmationStatus: 'finalized' });
    expect(await platform.balance(agent)).to.equal(3.5);
    const events = await eventsOf(platform, agent);
    expect(events.filter((type) => type.startsWith('collection.'))).to.deep.equal([
      'collection.requested',
      'collection.deployed',
    ]);
  });

  it('are as long as they may be', async () => {
    const agent = await platform.agent({ usd: 5 });
    const asked = { name: 'ö'.repeat(16), symbol: 'ÖÖÖÖ', uri: `ipfs://${'x'.repeat(249)}` };
    const { body } = await create(platform, agent, asked);
    const { status } = await untilMade(platform, solana, body.collection_id);
    expect(status).to.equal('deployed');
    expect((await shown(platform, agent)).collection).to.deep.include(asked);
  });

  it('are one of an agent, however many are asked for at once', async () => {
    const before = (await mintsOf(solana)).length;
    const agent = await platform.agent({ usd: 15 });
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => create(platform, agent)));
    const made = replies.filter(({ status }) => status === 200);
    expect(made).to.have.lengthOf(1);
    for (const { body } of replies.filter(({ status }) => status !== 200)) {
      expect(body.error).to.equal('invalid_transition');
      expect(body.message).to.contain('solana_collection');
    }
    const rounds = [1, 2, 3].map(() =>
      untilMade(platform, solana, made[0]!.body.collection_id as number),
    );
    for (const { status } of await Promise.all(rounds)) expect(status).to.equal('deployed');
    expect((await create(platform, agent)).body.error).to.equal('invalid_transition');
    expect((await mintsOf(solana)).length).to.equal(before + 1);
    expect(await platform.balance(agent)).to.equal(13.5);
  });

  it('are one of a call that is repeated with its key', async () => {
    const agent = await platform.agent({ usd: 5 });
    const call = () => create(platform, agent, GROUP, { 'idempotency-key': 'once' });
    const replies = await Promise.all([call(), call(), call()]);
    expect(new Set(replies.map(({ body }) => body.collection_id)).size).to.equal(1);
    expect(await platform.balance(agent)).to.equal(3.5);
  });

  describe('are refused, with the money unchanged,', () => {
    for (const [what, body] of [
      ['with a name of more than 32 bytes', { ...GROUP, name: 'ö'.repeat(17) }],
      ['with a symbol of more than 8 bytes', { ...GROUP, symbol: 'ööööö' }],
      ['with a URI of another sort', { ...GROUP, uri: 'javascript:alert(1)' }],
      ['with a URI of more than 256 bytes', { ...GROUP, uri: `ipfs://${'x'.repeat(250)}` }],
    ] as const) {
      it(what, async () => {
        const agent = await platform.agent({ usd: 5 });
        expect((await create(platform, agent, body)).body.error).to.equal('validation_error');
        expect(await platform.balance(agent)).to.equal(5.5);
        expect((await shown(platform, agent)).collection).to.equal(null);
      });
    }

    it('where the wallet or a policy does not cover the fee, which is said', async () => {
      const poor = await platform.agent();
      const { body } = await create(platform, poor);
      expect([body.error, body.details.required]).to.deep.equal(['insufficient_balance', 2]);
      const child = await childOf(platform, await platform.agent({ usd: 5 }));
      await setPolicy(platform, child, { allowed_product_types: ['task'] });
      expect((await create(platform, child)).body.error).to.equal('product_type_not_allowed');
    });
  });

  it('of others are not shown', async () => {
    const [agent, other] = [await platform.agent({ usd: 5 }), await platform.agent()];
    expect((await create(platform, agent)).status).to.equal(200);
    expect((await shown(platform, other)).collection).to.equal(null);
  });
});

describe('collections where there is no Solana', () => {
  it('are refused, with the settings that are missing', async () => {
    const platform = await TestPlatform.open({ env: { SOLANA_RPC_URLS: '' } });
    const agent = await platform.agent({ usd: 5 });
    const { status, body } = await create(platform, agent);
    expect([status, body.error, body.details]).to.deep.equal([
      503,
      'rail_unavailable',
      { rail: 'solana', settings: ['SOLANA_RPC_URLS', 'SOLANA_KEY_FILE'] },
    ]);
    expect((await shown(platform, agent)).error).to.equal('rail_unavailable');
    expect(await platform.balance(agent)).to.equal(5.5);
    await platform.close();
  });
});
