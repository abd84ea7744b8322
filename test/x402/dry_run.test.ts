import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { openSceneInFront, payer, type SceneInFront } from './scene.ts';
import { paidBy } from './signed.ts';

const EMAIL = 'GET /x402/api/v1/email/validate/not-an-address?dry_run=true';

describe('a dry run of a call that brings a payment by x402', () => {
  let scene: SceneInFront;
  before(async () => {
    scene = await openSceneInFront();
  });
  after(async () => {
    expect(await audit(scene.platform.context.database)).to.deep.equal([]);
    await scene.close();
  });

  it('takes no payment, and the payment is good afterwards', async () => {
    const { wallet } = await payer(scene);
    const headers = await paidBy(scene, wallet);
    const before = await scene.evm.balanceOf(scene.payTo);
    const asked = await scene.platform.request(EMAIL, { headers });
    expect([asked.status, asked.body.error]).to.deep.equal([402, 'payment_required']);
    const agent = await scene.platform.agent();
    const route = EMAIL.replace('/x402', '');
    const tried = await scene.platform.request(route, { ...agent, headers });
    expect([tried.status, tried.body.would, tried.body.takes]).to.deep.equal([
      200,
      'succeed',
      0.002,
    ]);
    expect(await scene.evm.balanceOf(scene.payTo)).to.equal(before);
    const paid = await scene.platform.request(EMAIL.replace('?dry_run=true', ''), { headers });
    expect(paid.status).to.equal(200);
    expect((await scene.evm.balanceOf(scene.payTo)) - before).to.equal(2_000n);
  });
});
