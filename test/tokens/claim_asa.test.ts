import type { Account } from 'algosdk';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { eventsOf, runTimer } from '../orders/trade.ts';
import { ADDRESS } from './address.ts';
import {
  CLAIM,
  COIN,
  issue,
  openIssuerRig,
  tokenOf,
  untilClosed,
  type IssuerRig,
} from './issuer.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('an asset that is claimed', () => {
  let issuer: IssuerRig;
  let platform: TestPlatform;
  before(async () => {
    issuer = await openIssuerRig();
    platform = await TestPlatform.open({ env: issuer.env });
  });
  afterEach(async () => expect(await audit(platform.context.database)).to.deep.equal([]));
  after(async () => {
    await platform.close();
    await issuer.rig.close();
  });

  async function issued(agent: Agent) {
    const { body } = await issue(platform, agent);
    await untilClosed(platform, body.asset_id);
    const asset = Number((await tokenOf(platform, body.asset_id)).algo_id);
    return { id: body.asset_id as number, asset };
  }
  async function optedIn(asset: number): Promise<Account> {
    const { rig } = issuer;
    const account = await rig.account(1_000_000);
    await rig.send(
      await rig.transfer(account, account, { asset: BigInt(asset), amount: 0 }),
      account,
    );
    return account;
  }
  const claim = ({ key }: Agent, id: number, address: string, headers = {}) =>
    platform.request(`POST /api/v1/asa/${id}/claim`, { key, body: { address }, headers });
  const heldBy = async ({ addr }: Account, asset: number) =>
    (await issuer.rig.algod.accountAssetInformation(addr, asset).do()).assetHolding?.amount;
  const claimOf = async (agent: Agent, id: number) =>
    (await platform.request(`GET /api/v1/asa/${id}`, { key: agent.key })).body.claim;
  /** Rounds, until its claim is closed. */
  const untilClaimed = (agent: Agent, id: number) =>
    eventually(
      async () => {
        await runTimer(platform, 'deploy_tokens');
        return claimOf(agent, id);
      },
      (found) => found === null || found.status === 'deployed',
    );

  it('is at its address, all of it, once, however often it is claimed', async () => {
    const agent = await platform.agent({ usd: 2 });
    const { id, asset } = await issued(agent);
    const account = await optedIn(asset);
    const address = account.addr.toString();
    const calls = [0, 1, 2].map(() => claim(agent, id, address));
    for (const { status, body } of await Promise.all(calls)) {
      expect([status, body.claim.address]).to.deep.equal([200, address]);
    }
    const done = await untilClaimed(agent, id);
    expect(done.tx_id).to.match(/^[A-Z2-7]{52}$/);
    expect(await heldBy(account, asset)).to.equal(BigInt(COIN.total_supply));
    expect((await claim(agent, id, address)).body.claim).to.deep.equal(done);
    const elsewhere = await claim(agent, id, (await optedIn(asset)).addr.toString());
    expect([elsewhere.status, elsewhere.body.error]).to.deep.equal([409, 'invalid_transition']);
    const [{ claims }] = await platform.query(
      `select count(*)::int as claims from token where kind = 'claim' and contract_id = ${id}`,
    );
    expect(claims).to.equal(1);
    expect(await eventsOf(platform, agent)).to.include('asa.claimed');
    expect(await platform.balance(agent)).to.equal(1.5);
  });

  it('stays where it is if the address has not opted in, or is none', async () => {
    const agent = await platform.agent({ usd: 2 });
    const { id, asset } = await issued(agent);
    const account = await issuer.rig.account(1_000_000);
    const refused = await claim(agent, id, account.addr.toString());
    expect([refused.status, refused.body.error]).to.deep.equal([409, 'invalid_transition']);
    expect(refused.body.message).to.contain('has not opted in').and.to.contain(String(asset));
    expect((await claim(agent, id, 'A'.repeat(58))).body.error).to.equal('validation_error');
    expect(await claimOf(agent, id)).to.equal(null);
  });

  it('is claimed by who issued it, when it is there', async () => {
    const agent = await platform.agent({ usd: 3 });
    const { id, asset } = await issued(agent);
    const address = (await optedIn(asset)).addr.toString();
    const outsider = await platform.agent();
    expect((await claim(outsider, id, address)).body.error).to.equal('not_found');
    const child = await childOf(platform, agent);
    expect((await claim(child, id, address)).body.error).to.equal('not_found');
    await platform.pauseWorkers();
    const pending = platform.request('POST /api/v1/asa', { key: agent.key, body: COIN });
    await platform.resumeWorkers();
    const { body } = await pending;
    const early = await claim(agent, body.asset_id, ADDRESS);
    expect(early.body.error).to.equal('invalid_transition');
    await untilClosed(platform, body.asset_id);
  });

  it('can be claimed again if the network took no transfer of it', async () => {
    const agent = await platform.agent({ usd: 2 });
    const { id, asset } = await issued(agent);
    // It had opted in when it claimed, and has opted out since.
    const gone = await issuer.rig.account(1_000_000);
    await platform.query(CLAIM, [agent.id, gone.addr.toString(), id]);
    expect((await claimOf(agent, id)).status).to.equal('pending');
    for (let n = 0; n < 6; n += 1) {
      await runTimer(platform, 'deploy_tokens');
      issuer.rig.node.advance(210);
    }
    expect(await untilClaimed(agent, id)).to.equal(null);
    expect(await heldBy(issuer.wallet, asset)).to.equal(BigInt(COIN.total_supply));
    expect(await eventsOf(platform, agent)).to.include('asa.claim_failed');
    const other = await optedIn(asset);
    expect((await claim(agent, id, other.addr.toString())).status).to.equal(200);
    await untilClaimed(agent, id);
    expect(await heldBy(other, asset)).to.equal(BigInt(COIN.total_supply));
  });

  it('says what it locks for ever, and what that is worth', async () => {
    const agent = await platform.agent({ usd: 2 });
    const { id } = await issued(agent);
    const read = async () =>
      (await platform.request(`GET /api/v1/asa/${id}`, { key: agent.key })).body;
    expect(await read()).to.include({ locked_algo: 0.1, locked_usd: null });
    await platform.query(
      `insert into asset_price (asset, at, price, source) values ('ALGO', now(), 0.25, 'a test')`,
    );
    expect(await read()).to.include({ locked_algo: 0.1, locked_usd: 0.025 });
  });
});
