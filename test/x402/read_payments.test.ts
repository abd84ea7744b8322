import { randomBytes, randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import type { Reply, TestPlatform } from '../harness.ts';
import { openScene, payer, payerWith, type Payer, type Scene } from './scene.ts';
import { walletWith } from './wallets.ts';

/** The payer's address, as a router in front has noted it. */
const HOME = '198.51.100.7';
const from = (address: string) => ({ 'x-forwarded-for': address });

/** Everything in a settled payment stands on the chain: whoever reads it may send it here. */
describe('somebody who has read a payment on the chain', () => {
  let scene: Scene;
  let platform: TestPlatform;
  let product: { id: number };
  before(async () => {
    scene = await openScene({ env: { TRUSTED_HOPS: '1' } });
    ({ platform } = scene);
    const items = Array.from({ length: 30 }, () => `KEY-${randomUUID()}`);
    product = await platform.product(await platform.agent(), { price: 0.1, items });
  });
  after(() => scene.close());

  const orders = async () => (await platform.query('select count(*)::int as n from orders'))[0].n;

  interface Sent {
    readonly route: string;
    readonly body?: object;
    readonly headers: Record<string, string>;
    readonly key?: string;
  }
  const send = ({ route, ...call }: Sent) => platform.request(route, call);

  /** Somebody buys, and anybody can read the payment. */
  async function bought(own: Record<string, string> = {}) {
    const mira = await payer(scene);
    const route = 'POST /x402/api/v1/orders';
    const body = { product_id: product.id };
    const headers = { ...from(HOME), ...own };
    const first = await mira.request(route, { body, headers });
    expect(first.status, first.text).to.equal(200);
    const paid = { 'payment-signature': mira.sent() };
    return { mira, first, call: { route, body, headers: { ...headers, ...paid } }, paid };
  }

  /** Is told nothing of what was bought, and nothing is bought or moved. */
  async function learnsNothing(first: Reply, ask: () => Promise<Reply>) {
    const [before, received] = [await orders(), await scene.evm.balanceOf(scene.payTo)];
    const reply = await ask();
    expect([reply.status, reply.body.error], reply.text).to.deep.equal([409, 'payment_used']);
    expect(reply.body.details.charged).to.equal(false);
    expect(reply.text).not.to.contain(first.body.items[0].content);
    expect([await orders(), await scene.evm.balanceOf(scene.payTo)]).to.deep.equal([
      before,
      received,
    ]);
  }

  it('learns and buys nothing with it: from elsewhere, with keys of its own, or a changed one', async () => {
    const { first, call, paid } = await bought();
    const reader = await platform.agent();
    const away = { ...call, headers: { ...from('203.0.113.9'), ...paid } };
    const own = { 'idempotency-key': randomUUID() };
    for (const [name, sent] of Object.entries({
      'as it was': away,
      'with an Idempotency-Key': { ...away, headers: { ...away.headers, ...own } },
      'with an API key': { ...away, route: 'POST /api/v1/orders', key: reader.key },
      'with both': {
        ...away,
        route: 'POST /api/v1/orders',
        key: reader.key,
        headers: { ...away.headers, ...own },
      },
    })) {
      await learnsNothing(first, () => send(sent)).catch((error: unknown) => {
        throw new Error(name, { cause: error });
      });
    }
    // Also from where its payer is, it is the payment byte for byte or none.
    const sent = JSON.parse(Buffer.from(paid['payment-signature'], 'base64').toString());
    const { signature, authorization } = sent.payload;
    const changed = (changes: object, more: object = {}) =>
      Buffer.from(
        JSON.stringify({
          ...sent,
          payload: { signature, ...more, authorization: { ...authorization, ...changes } },
        }),
      ).toString('base64');
    for (const header of [
      changed({}, { signature: `0x${randomBytes(65).toString('hex')}` }),
      changed({ value: String(Number(authorization.value) + 1) }),
      changed({ validAfter: '1' }),
      changed({ validBefore: String(Number(authorization.validBefore) + 1) }),
    ]) {
      const headers = { ...call.headers, 'payment-signature': header };
      await learnsNothing(first, () => send({ ...call, headers }));
    }
    expect((await send(call)).text).to.equal(first.text); // of its payer
  });

  it('learns nothing where the payer sent an Idempotency-Key, which alone repeats the call', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const { first, call, paid } = await bought(key);
    const home = { ...call, headers: { ...from(HOME), ...paid } };
    await learnsNothing(first, () => send(home));
    const other = { 'idempotency-key': randomUUID() };
    await learnsNothing(first, () => send({ ...call, headers: { ...home.headers, ...other } }));
    const moved = { ...call, headers: { ...from('203.0.113.9'), ...paid, ...key } };
    const again = await send(moved);
    expect([again.text, again.headers.get('idempotent-replayed')]).to.deep.equal([
      first.text,
      'true',
    ]);
  });

  it('makes an agent pay for no second call, whatever key comes with its payment', async () => {
    const mira = await payer(scene);
    const agent = await platform.agent();
    await platform.request(`POST /agent/monitor/${agent.id}/policy`, {
      key: agent.key,
      body: { max_spend_per_tx: 1 },
    });
    const body = { product_id: product.id, quantity: 5 };
    const route = 'POST /api/v1/orders';
    const once = { 'idempotency-key': 'once' };
    const first = await mira.request(route, { key: agent.key, body, headers: once });
    expect(first.status, first.text).to.equal(200);
    const before = await orders();
    const paid = { 'payment-signature': mira.sent() };
    for (const headers of [
      paid,
      { ...paid, 'idempotency-key': 'twice' },
      { ...paid, ...once },
      once,
    ]) {
      const again = await platform.request(route, { key: agent.key, body, headers });
      expect(again.text).to.equal(first.text);
    }
    expect(await orders()).to.equal(before);
  });

  it('leaves a payer who lost an answer its answer, and the next payment untaken', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const { mira, first } = await bought(key);
    const received = await scene.evm.balanceOf(scene.payTo);
    const before = await orders();
    // The client begins anew: it asks, is told the price, and signs another payment.
    const again = await mira.request('POST /x402/api/v1/orders', {
      body: { product_id: product.id },
      headers: { ...from('203.0.113.10'), ...key },
    });
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('payment-response')).to.equal(null);
    expect([await orders(), await scene.evm.balanceOf(scene.payTo)]).to.deep.equal([
      before,
      received,
    ]);
    // Another who knows that key, and pays, buys by its own account.
    const other = await payer(scene);
    const own = await other.request('POST /x402/api/v1/orders', {
      body: { product_id: product.id },
      headers: { ...from('203.0.113.10'), ...key },
    });
    expect(own.status).to.equal(200);
    expect(own.text).not.to.equal(first.text);
  });

  it('has so many payments tried as are settled, and fifty more an hour; others have theirs', async () => {
    const address = '203.0.113.77';
    const poor = payerWith(await walletWith(scene.evm, 0), platform);
    const ask = (who: Payer, at: string) =>
      who.request('GET /x402/api/v1/email/validate/not-an-address', { headers: from(at) });
    const refused = await ask(poor, address);
    expect([refused.body.details.reason, refused.body.details.charged]).to.deep.equal([
      'insufficient_funds',
      false,
    ]);
    const used = async () =>
      (
        await platform.query(`select used::int from limit_window where kind = 'unsettled_payments'
                              order by used desc limit 1`)
      )[0].used;
    expect(await used()).to.equal(1);
    // Counts 44 more of the address. Of eight at once, five are the last ones.
    await platform.query(`update limit_window set used = 45 where used = 1`);
    const others = await Promise.all(
      Array.from({ length: 8 }, async () => payerWith(await walletWith(scene.evm, 0), platform)),
    );
    const replies = await Promise.all(others.map((one) => ask(one, address)));
    expect(replies.filter(({ status }) => status === 429)).to.have.length(3);
    expect(await used()).to.equal(50);
    const full = await ask(poor, address);
    expect([full.status, full.body.error]).to.deep.equal([429, 'rate_limited']);
    expect(full.body.details).to.include({
      limited_by: 'unsettled_payments',
      limit: 50,
      used: 50,
      window_seconds: 3_600,
      charged: false,
    });
    expect((await ask(await payer(scene), HOME)).status).to.equal(200);
    // One that is settled counts no more.
    await platform.query('update limit_window set used = 49 where used = 50');
    expect((await ask(await payer(scene), address)).status).to.equal(200);
    expect(await used()).to.equal(49);
    await platform.query('update limit_window set used = 50, resets_at = now() where used = 49');
    expect((await ask(await payer(scene), address)).status).to.equal(200);
  });

  it('takes nothing from the books, and what was sold is what was paid', async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    const [{ sum }] = await platform.query(
      `select sum(amount) from x402_payment where status = 'settled'`,
    );
    expect(BigInt(sum)).to.equal(await scene.evm.balanceOf(scene.payTo));
  });
});
