// test:all: a chain fails at each step.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';

import { PLATFORM } from '../../shared/kernel/caller.ts';
import { audit } from '../../shared/composition/audit.ts';
import type { Gateways } from '../../shared/composition/gateways.ts';
import { perform } from '../../shared/performing/perform.ts';
import { deployTokens } from '../../shared/domains/tokens/deploy_tokens.ts';
import type { TokenGateway } from '../../shared/domains/tokens/token_gateway.ts';
import { openTokens } from '../../workers/gateways/algorand/tokens.ts';
import { TestPlatform } from '../harness.ts';
import { eventsOf } from '../orders/trade.ts';
import { ADDRESS } from './address.ts';
import {
  assetsOf,
  emptied,
  issue,
  mint,
  openIssuerRig,
  tokenOf,
  URI,
  type IssuerRig,
} from './issuer.ts';

/** An indexer that says the truth, but for transactions that it says it does not know. */
async function openForgetful(url: string) {
  let forgets = true;
  const server = createServer((request, response) => {
    const isAsked = /\/v2\/transactions\//.test(request.url!);
    if (forgets && isAsked) return response.writeHead(404).end('{"message":"no transaction"}');
    void fetch(url + request.url!).then(async (answer) =>
      response
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end(await answer.text()),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    remember: () => (forgets = false),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('tokens, when something outside fails', () => {
  let issuer: IssuerRig;
  let platform: TestPlatform;
  let agent: { id: number; key: string };
  let honest: TokenGateway;
  /** Says that it has sent what it has not. */
  let losing: TokenGateway;
  let other: Awaited<ReturnType<typeof openForgetful>>;

  before(async () => {
    issuer = await openIssuerRig();
    platform = await TestPlatform.open({ env: issuer.env });
    await platform.pauseWorkers();
    honest = openTokens(platform.config.tokens);
    losing = { ...honest, send: async () => undefined };
    other = await openForgetful(issuer.rig.node.indexerUrl);
  });
  beforeEach(async () => {
    agent = await platform.agent({ usd: 10 });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    other.close();
    await issuer.rig.close();
  });

  const round = (tokens = honest) => {
    const call = { caller: PLATFORM, key: randomUUID(), now: new Date(), requestId: 'a test' };
    const context = { ...platform.context, gateways: { tokens } as Gateways };
    return perform(context, deployTokens as never, {}, call, { finish: async () => undefined });
  };
  const rounds = async (count: number, tokens = honest) => {
    for (let n = 0; n < count; n += 1) await round(tokens);
  };
  const asked = async (call: () => Promise<{ body: object }>): Promise<number> => {
    const answered = call();
    await platform.resumeWorkers();
    const { body } = await answered;
    await platform.pauseWorkers();
    const made = body as { asset_id?: number; nft_id?: number };
    return made.asset_id ?? made.nft_id!;
  };
  const named = async (wanted: string) =>
    (await assetsOf(issuer)).filter(({ name }) => name === wanted).length;
  const heldBack = async (call: () => Promise<{ body: object }>): Promise<number> => {
    const refill = await emptied(issuer);
    const id = await asked(call);
    await refill();
    return id;
  };

  it('signs again only what can be taken no more, and issues it once', async () => {
    const id = await heldBack(() => issue(platform, agent, coin('Lost')));
    await rounds(4, losing);
    expect(await tokenOf(platform, id)).to.include({ status: 'submitted', attempts: 1 });
    issuer.rig.node.advance(150);
    await rounds(1, losing);
    expect((await tokenOf(platform, id)).attempts).to.equal(1);
    issuer.rig.node.advance(60);
    await rounds(1, losing);
    expect((await tokenOf(platform, id)).attempts).to.equal(2);
    await rounds(2);
    expect((await tokenOf(platform, id)).status).to.equal('deployed');
    expect(await named('Lost')).to.equal(1);
  });

  it('believes no indexer that alone does not know it', async () => {
    const settings = platform.config.tokens.algorand!;
    const indexerUrls = [...settings.indexerUrls, other.url];
    const doubting = openTokens({
      ...platform.config.tokens,
      algorand: { ...settings, indexerUrls },
    });
    const id = await heldBack(() => issue(platform, agent, coin('Doubted')));
    await rounds(2, doubting);
    issuer.rig.node.advance(400);
    await rounds(3, doubting);
    expect(await tokenOf(platform, id)).to.include({ status: 'submitted', attempts: 1 });
    other.remember();
    await rounds(1, doubting);
    expect((await tokenOf(platform, id)).status).to.equal('deployed');
    expect(await named('Doubted')).to.equal(1);
  });

  it('gives the fee back of what was never taken', async () => {
    const id = await heldBack(() => issue(platform, agent, coin('Never')));
    await rounds(1, losing);
    for (let n = 0; n < 5; n += 1) {
      issuer.rig.node.advance(210);
      await rounds(1, losing);
    }
    expect(await tokenOf(platform, id)).to.include({ status: 'failed', attempts: 5 });
    expect(await platform.balance(agent)).to.equal(10.5);
    expect(await eventsOf(platform, agent)).to.include('asa.failed');
    const { spent } = (
      await platform.query('select amount::int as spent from spend where agent_id = $1', [agent.id])
    )[0];
    expect(spent).to.equal(0);
  });

  it('waits for money in the wallet, and says so', async () => {
    const refill = await emptied(issuer);
    const id = await asked(() => issue(platform, agent, coin('Poor')));
    await round();
    const [{ fault }] = await platform.query('select fault from token_wallet');
    expect(fault).to.match(/^It can spend \d+ micro-ALGO, and a token needs 101000/);
    expect((await tokenOf(platform, id)).status).to.equal('pending');
    await refill();
    await rounds(3);
    expect((await tokenOf(platform, id)).status).to.equal('deployed');
    expect((await platform.query('select fault from token_wallet'))[0].fault).to.equal(null);
  });

  it('mints no second NFT when all say wrongly that the first is not there', async () => {
    const id = await heldBack(() => mint(platform, agent, { uri: URI, address: ADDRESS }));
    // The contract is made, and the NFT is signed.
    await rounds(6);
    const { status, number } = await tokenOf(platform, id);
    expect([status, number]).to.deep.equal(['deployed', '1']);
    const next = await heldBack(() => mint(platform, agent, { uri: URI, address: ADDRESS }));
    const lying: TokenGateway = {
      ...honest,
      fateOf: async () => ({ status: 'unknown', asOf: 10 ** 9 }),
    };
    await rounds(1);
    expect((await tokenOf(platform, next)).attempts).to.equal(1);
    const sql = 'select bytes from token_transaction where token_id = $1';
    const [{ bytes }] = await platform.query(sql, [next]);
    await honest.send(bytes);
    await rounds(2, lying);
    expect(await tokenOf(platform, next)).to.include({ status: 'submitted', attempts: 1 });
    const [{ fault }] = await platform.query('select fault from token_wallet');
    expect(fault).to.equal(`NFT ${next} was signed as number 2, and the next is 3.`);
    await rounds(1);
    expect(await tokenOf(platform, next)).to.include({ status: 'deployed', number: '2' });
  });

  it('counts what the node is asked, which plans bill', async () => {
    const { providers, tokens } = platform.context.gateways!;
    const calls = async () =>
      (await providers.report())
        .filter(({ rail }) => rail === 'algorand')
        .reduce((sum, one) => sum + one.calls, 0);
    await tokens.issuer();
    const before = await calls();
    await tokens.issuer();
    expect((await calls()) - before).to.equal(1);
  });

  it('asks no node of another network', async () => {
    const { algorand } = platform.config.tokens;
    const genesisHash = Buffer.alloc(32, 7).toString('base64');
    const foreign = openTokens({
      ...platform.config.tokens,
      algorand: { ...algorand!, genesisHash },
    });
    const refused = await foreign.issuer().catch((error: Error) => error.message);
    expect(refused).to.contain('another network');
  });
});

const coin = (name: string) => ({ name, unit_name: 'AGC', total_supply: 100 });
