import { expect } from 'chai';

import { openSceneInFront, payer, type SceneInFront } from './scene.ts';
import { encoded, signed } from './signed.ts';

const EMAIL = 'GET /x402/api/v1/email/validate/not-an-address'; // judged by its syntax, for $0.002

/** Version 1 of x402 has one header and version 2 another; some clients send both. */
describe('payments by x402 in both headers of a request', () => {
  let scene: SceneInFront;
  before(async () => (scene = await openSceneInFront()));
  after(() => scene.close());

  const call = (headers: Record<string, string>) => scene.platform.request(EMAIL, { headers });
  const received = () => scene.evm.balanceOf(scene.payTo);

  it('are refused if they are two, and neither is made', async () => {
    const [before, asked] = [await received(), scene.inFront.asked()];
    const { wallet } = await payer(scene);
    const [one, other] = [await signed(scene, wallet), await signed(scene, wallet)];
    for (const second of [encoded(other.v2), encoded(other.v1), encoded(one.v1), '%%%', 'e30=']) {
      const headers = { 'payment-signature': encoded(one.v2), 'x-payment': second };
      const { body } = await call(headers);
      const reason = second === '%%%' ? 'malformed' : 'invalid_payload';
      expect(body.error, second).to.equal('payment_invalid');
      expect(body.details).to.include({ reason, charged: false });
    }
    expect([await received(), scene.inFront.asked()]).to.deep.equal([before, asked]);
  });

  it('are one if both hold the same, and made once', async () => {
    const before = await received();
    const { v2 } = await signed(scene, (await payer(scene)).wallet);
    const spaced = Buffer.from(JSON.stringify(v2, null, 1)).toString('base64');
    const both = await call({ 'payment-signature': encoded(v2), 'x-payment': spaced });
    expect(both.status).to.equal(200);
    expect((await received()) - before).to.equal(2_000n);
  });
});
