import algosdk from 'algosdk';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { mistyped } from '../agents/mistyped.ts';
import { eventsOf } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';
import { assetsOf, COIN, issue, mint, openIssuerRig, untilClosed, URI } from './issuer.ts';
import type { IssuerRig } from './issuer.ts';

describe('tokens on Algorand', () => {
  let issuer: IssuerRig;
  let platform: TestPlatform;
  before(async () => {
    issuer = await openIssuerRig();
    platform = await TestPlatform.open({ env: issuer.env });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await issuer.rig.close();
  });

  it('issues an asset once, with exactly what was asked for and nobody above it', async () => {
    const agent = await platform.agent({ usd: 5 });
    const asked = { ...COIN, total_supply: '18446744073709551615', decimals: 19 };
    const { status, body } = await issue(platform, agent, asked);
    expect([status, body.deploy_status, body.algo_asset_id, body.fee]).to.deep.equal(
      [200, 'pending', null, 1],
      JSON.stringify(body),
    );
    await untilClosed(platform, body.asset_id);
    const shown = await platform.request(`GET /api/v1/asa/${body.asset_id}`, { key: agent.key });
    expect(shown.body).to.deep.include({ ...asked, deploy_status: 'deployed', network: 'sandbox' });
    const { params } = await issuer.rig.algod.getAssetByID(shown.body.algo_asset_id).do();
    expect(params).to.deep.include({
      creator: issuer.wallet.addr.toString(),
      name: 'Agent coin',
      unitName: 'AGC',
      total: 2n ** 64n - 1n,
      decimals: 19,
    });
    const { manager, reserve, freeze, clawback, defaultFrozen = false } = params!;
    const rights = [manager, reserve, freeze, clawback, defaultFrozen];
    expect(rights).to.deep.equal([undefined, undefined, undefined, undefined, false]);
    expect(await platform.balance(agent)).to.equal(4.5);
    expect(
      (await eventsOf(platform, agent)).filter((type) => type.startsWith('asa.')),
    ).to.deep.equal(['asa.requested', 'asa.deployed']);
    const listed = await platform.request('GET /api/v1/asa', { key: agent.key });
    expect(listed.body.assets).to.deep.equal([shown.body]);
  });

  it('mints NFTs to their addresses, in one contract of ours', async () => {
    const agent = await platform.agent({ usd: 5 });
    const [one, other] = [algosdk.generateAccount().addr, algosdk.generateAccount().addr];
    const made = [
      await mint(platform, agent, { uri: URI, address: one.toString() }),
      await mint(platform, agent, { uri: URI, address: other.toString() }),
      await mint(platform, agent, { uri: 'https://example.com/3.json', address: one.toString() }),
    ];
    expect(made.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    const numbers: number[] = [];
    for (const { body } of made) {
      await untilClosed(platform, body.nft_id);
      const path = `GET /api/v1/nft/${body.nft_id}`;
      const { body: nft } = await platform.request(path, { key: agent.key });
      expect(nft.deploy_status, JSON.stringify(nft)).to.equal('deployed');
      numbers.push(nft.token_id);
      const name = Buffer.concat([Buffer.from('t'), algosdk.encodeUint64(nft.token_id)]);
      const padded = Buffer.concat([name.subarray(0, 1), Buffer.alloc(24), name.subarray(1)]);
      const box = await issuer.rig.algod.getApplicationBoxByName(nft.app_id, padded).do();
      expect(Buffer.from(box.value).subarray(0, 32)).to.deep.equal(
        Buffer.from(algosdk.decodeAddress(nft.address).publicKey),
      );
      expect(Buffer.from(box.value).subarray(64).toString()).to.equal(nft.uri);
    }
    expect(numbers).to.deep.equal([1, 2, 3]);
    const list = async (query: string, { key } = agent) =>
      (await platform.request(`GET /api/v1/nft${query}`, { key })).body;
    const page = await list('?limit=2&deploy_status=deployed');
    expect(page).to.include({ count: 2, has_more: true });
    const { nfts } = await list(`?cursor=${page.next_cursor}`);
    expect([...page.nfts, ...nfts].map(({ nft_id: id }) => id)).to.deep.equal(
      made.map(({ body }) => body.nft_id).toReversed(),
    );
    expect((await list('?deploy_status=failed')).nfts).to.deep.equal([]);
    expect((await list('', await platform.agent())).nfts, 'of others').to.deep.equal([]);
    expect(await platform.balance(agent)).to.equal(4);
  });

  describe('refuses, with the money unchanged,', () => {
    const address = algosdk.generateAccount().addr.toString();
    for (const [what, body] of [
      ['a name of more than 32 bytes', { ...COIN, name: 'ö'.repeat(17) }],
      ['a unit name of more than 8 bytes', { ...COIN, unit_name: 'ööööö' }],
      ['the name of a currency', { ...COIN, name: 'USD Coin' }],
      ['a short name of a currency, written otherwise', { ...COIN, unit_name: 'ＵＳＤｔ' }],
      ['a name that would be changed', { ...COIN, name: 'Cafe\u0301' }],
      ['a name with a hidden character', { ...COIN, unit_name: 'A\u200bGC' }],
      ['no supply', { ...COIN, total_supply: 0 }],
      ['a supply that is no whole number', { ...COIN, total_supply: 1.5 }],
      ['a supply beyond 64 bits', { ...COIN, total_supply: '18446744073709551616' }],
      ['too many decimals', { ...COIN, decimals: 20 }],
      ['an address that is mistyped', { uri: URI, address: mistyped(address, 0) }],
      ['the address of nobody', { uri: URI, address: algosdk.Address.zeroAddress().toString() }],
      ['a URI of another sort', { uri: 'javascript:alert(1)', address }],
      ['a URI of more than 256 bytes', { uri: `ipfs://${'x'.repeat(250)}`, address }],
    ] as const) {
      it(what, async () => {
        const agent = await platform.agent({ usd: 5 });
        const reply = await ('uri' in body ? mint : issue)(platform, agent, body);
        expect(reply.body.error, reply.text).to.equal('validation_error');
        expect(await platform.balance(agent)).to.equal(5.5);
      });
    }

    it('what the wallet or a policy does not cover, and says what it costs', async () => {
      const poor = await platform.agent();
      const { body } = await issue(platform, poor);
      expect([body.error, body.details.required]).to.deep.equal(['insufficient_balance', 1]);
      const child = await childOf(platform, await platform.agent({ usd: 5 }));
      await setPolicy(platform, child, { allowed_product_types: ['task'] });
      expect((await issue(platform, child)).body.error).to.equal('product_type_not_allowed');
    });

    it('tokens of others', async () => {
      const [agent, other] = [await platform.agent({ usd: 5 }), await platform.agent()];
      const { body } = await issue(platform, agent);
      const reply = await platform.request(`GET /api/v1/asa/${body.asset_id}`, { key: other.key });
      expect(reply.body.error).to.equal('not_found');
    });
  });

  it('are issued once, however often a call is repeated and however many rounds there are', async () => {
    const before = (await assetsOf(issuer)).length;
    const agent = await platform.agent({ usd: 5 });
    const call = () =>
      platform.request('POST /api/v1/asa', {
        key: agent.key,
        body: { ...COIN, name: 'Once' },
        headers: { 'idempotency-key': 'once' },
      });
    const replies = await Promise.all([call(), call(), call()]);
    const ids = new Set(replies.map(({ body }) => body.asset_id));
    expect(ids.size).to.equal(1);
    const rounds = Array.from({ length: 4 }, () => untilClosed(platform, [...ids][0]));
    for (const { status } of await Promise.all(rounds)) expect(status).to.equal('deployed');
    const named = (await assetsOf(issuer)).filter(({ name }) => name === 'Once');
    expect(named).to.have.length(1);
    expect((await assetsOf(issuer)).length).to.be.greaterThan(before);
    expect(await platform.balance(agent)).to.equal(4.5);
  });
});

describe('tokens where there is no Algorand', () => {
  it('are refused, with the settings that are missing', async () => {
    const platform = await TestPlatform.open({ env: { ALGO_NODE_URL: '' } });
    const agent = await platform.agent({ usd: 5 });
    const { status, body } = await issue(platform, agent);
    expect([status, body.error, body.details.rail]).to.deep.equal([
      503,
      'rail_unavailable',
      'algorand',
    ]);
    expect(body.details.settings).to.deep.equal([
      'ALGO_NODE_URL',
      'ALGO_INDEXER_URLS',
      'ALGO_KEY_FILE',
    ]);
    expect(await platform.balance(agent)).to.equal(5.5);
    await platform.close();
  });
});
