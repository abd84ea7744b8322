// test:all: workers are killed at each step of a payment or a charge.
import algosdk from 'algosdk';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { endChildren, openPlatform } from '../faults/children.ts';
import type { TestPlatform } from '../harness.ts';
import {
  assetsOf,
  CLAIM,
  emptied,
  issue,
  mint,
  openIssuerRig,
  untilClosed,
  URI,
} from './issuer.ts';
import type { IssuerRig } from './issuer.ts';
import { killAt } from './killing.ts';

describe('a worker that is killed while it issues a token', function () {
  this.timeout(120_000);

  let issuer: IssuerRig;
  let platform: TestPlatform;
  let agent: { id: number; key: string };
  before(async () => {
    issuer = await openIssuerRig();
    platform = await openPlatform({ workers: false, env: issuer.env });
    agent = await platform.agent({ usd: 20 });
  });
  after(async () => {
    await endChildren();
    await platform.close();
    await issuer.rig.close();
  });

  const kill = (id: number, points: readonly string[]) =>
    killAt(platform, id, points, { timer: 'deploy_tokens', env: issuer.env });

  async function recorded(id: 'asset_id' | 'nft_id', call: () => Promise<{ body: object }>) {
    await platform.resumeWorkers();
    const { body } = await call();
    await platform.pauseWorkers();
    return (body as Record<string, number>)[id]!;
  }

  it('makes one asset, whatever it was about to do', async () => {
    const refill = await emptied(issuer);
    const id = await recorded('asset_id', () => issue(platform, agent));
    await refill();
    await kill(id, ['T0', 'T1', 'T2', 'T3']);
    await platform.resumeWorkers();
    expect(await untilClosed(platform, id)).to.include({ status: 'deployed', attempts: 1 });
    await platform.pauseWorkers();
    expect(await assetsOf(issuer)).to.have.length(1);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('sends the supply of an asset once, whatever it was about to do', async () => {
    const { rig } = issuer;
    await platform.resumeWorkers();
    const { body } = await issue(platform, agent);
    const asset = BigInt((await untilClosed(platform, body.asset_id)).algo_id!);
    await platform.pauseWorkers();
    const account = await rig.account(1_000_000);
    await rig.send(await rig.transfer(account, account, { asset, amount: 0 }), account);
    const claim = [agent.id, account.addr.toString(), body.asset_id];
    const [{ id }] = await platform.query(CLAIM, claim);
    await kill(id, ['T0', 'T1', 'T2', 'T3']);
    await platform.resumeWorkers();
    expect(await untilClosed(platform, id)).to.include({ status: 'deployed', attempts: 1 });
    await platform.pauseWorkers();
    const held = await rig.algod.accountAssetInformation(account.addr, asset).do();
    expect(held.assetHolding?.amount).to.equal(1_000_000n);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('mints each NFT of a group once, whatever it was about to do', async () => {
    const address = algosdk.generateAccount().addr.toString();
    const refill = await emptied(issuer);
    const ids: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.push(await recorded('nft_id', () => mint(platform, agent, { uri: URI, address })));
    }
    await refill();
    await kill(ids[0]!, ['T0', 'T1', 'T2', 'T3']);
    await platform.resumeWorkers();
    for (const id of ids) {
      expect(await untilClosed(platform, id)).to.include({ status: 'deployed', attempts: 1 });
    }
    const { body } = await platform.request(`GET /api/v1/nft/${ids[0]}`, { key: agent.key });
    const { params } = await issuer.rig.algod.getApplicationByID(body.app_id).do();
    expect(params!.globalState![0]!.value.uint).to.equal(3n);
    await platform.pauseWorkers();
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('mints one NFT, whatever it was about to do', async () => {
    const address = algosdk.generateAccount().addr.toString();
    await platform.resumeWorkers();
    const first = await mint(platform, agent, { uri: URI, address });
    await untilClosed(platform, first.body.nft_id);
    await platform.pauseWorkers();
    const refill = await emptied(issuer);
    const id = await recorded('nft_id', () => mint(platform, agent, { uri: URI, address }));
    await refill();
    await kill(id, ['T0', 'T2']);
    await platform.resumeWorkers();
    const closed = await untilClosed(platform, id);
    expect(closed).to.include({ status: 'deployed', number: '5', attempts: 1 });
    const shown = await platform.request(`GET /api/v1/nft/${id}`, { key: agent.key });
    const { params } = await issuer.rig.algod.getApplicationByID(shown.body.app_id).do();
    expect(params!.globalState![0]!.value.uint).to.equal(5n);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });
});
