import { expect } from 'chai';

import { OPERATOR_TOKEN } from '../access/scene.ts';
import { admin } from '../faults/children.ts';
import { TestPlatform } from '../harness.ts';
import { Scrape } from '../metrics/scrape.ts';
import { emptied, issue, openIssuerRig, untilClosed, type IssuerRig } from './issuer.ts';
import { patience } from '../platform/pace.ts';

describe('metrics of tokens', () => {
  let issuer: IssuerRig;
  let platform: TestPlatform;
  before(async () => {
    issuer = await openIssuerRig();
    platform = await TestPlatform.open({ env: issuer.env });
  });
  after(async () => {
    await platform.close();
    await issuer.rig.close();
  });

  const read = async (name: string): Promise<number | undefined> => {
    const { text } = await platform.request('GET /metrics', { key: OPERATOR_TOKEN });
    return new Scrape(text).value(`market_tokens_${name}`);
  };

  it('say how long one has waited, and what the wallet that issues them has left', async () => {
    expect(await read('wait_seconds')).to.equal(0);
    expect(await read('wallet_algos')).to.equal(undefined); // It was not looked at yet.
    const refill = await emptied(issuer);
    const agent = await platform.agent({ usd: 5 });
    const { body } = await issue(platform, agent);
    const earlier = `update token set created_at = now() - interval '1 hour'`;
    await admin(platform, `${earlier} where id = ${body.asset_id}`);
    expect(await read('wait_seconds')).to.be.within(3_600, 3_600 + patience(60));

    await refill();
    expect((await untilClosed(platform, body.asset_id)).status).to.equal('deployed');
    expect(await read('wait_seconds')).to.equal(0);
    const { amount, minBalance } = await issuer.rig.algod
      .accountInformation(issuer.wallet.addr)
      .do();
    const left = Number(amount - BigInt(minBalance)) / 1e6;
    // It was noted before the last fee and the asset's own minimum were taken.
    expect(await read('wallet_algos')).to.be.within(left, left + 1);
  });
});
