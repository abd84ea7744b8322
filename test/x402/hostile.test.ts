import { expect } from 'chai';
import { Wallet } from 'ethers';

import { startEvm } from '../../sandbox/evm/anvil.ts';
import { audit } from '../../shared/composition/audit.ts';
import { eventually, type Reply } from '../harness.ts';
import { openX402 } from '../../workers/gateways/x402/x402.ts';
import type { FacilitatorInFront } from './facilitator_in_front.ts';
import { openSceneInFront, payer, requiredBy, settlementOf, type SceneInFront } from './scene.ts';
import { encoded, paidBy, signed } from './signed.ts';

const EMAIL = 'GET /x402/api/v1/email/validate/not-an-address'; // judged by its syntax, for $0.002

describe('a payment by x402 that is not good', () => {
  let scene: SceneInFront;
  let inFront: FacilitatorInFront;
  before(async () => {
    scene = await openSceneInFront();
    ({ inFront } = scene);
  });
  after(() => scene.close());

  const call = (headers: Record<string, string>, route = EMAIL): Promise<Reply> =>
    scene.platform.request(route, { headers });
  const received = () => scene.evm.balanceOf(scene.payTo);
  const rich = async () => (await payer(scene)).wallet;

  /** Refused, and nothing has reached us. */
  async function refuses(headers: Record<string, string>, code: string, reason?: string) {
    const before = await received();
    const reply = await call(headers);
    expect([reply.body.error, reply.body.details.reason, reply.body.details.charged]).to.deep.equal(
      [code, reason, false],
    );
    expect(await received()).to.equal(before);
    return reply;
  }

  it('is refused if it was changed after it was signed, and costs nothing', async () => {
    const wallet = await rich();
    const changed = await paidBy(scene, wallet, { sent: { value: '3000' } });
    const asked = inFront.asked();
    const reply = await refuses(changed, 'payment_failed', 'invalid_exact_evm_signature');
    // The price, and not what was offered.
    expect(requiredBy(reply).accepts[0].amount).to.equal('2000');
    expect(inFront.asked()).to.equal(asked);
  });

  it('is refused if another signed it, or has no money', async () => {
    const [one, other] = [await rich(), new Wallet(Wallet.createRandom().privateKey)];
    const stolen = await paidBy(scene, other, { from: one.address });
    await refuses(stolen, 'payment_failed', 'invalid_exact_evm_signature');
    const poor = await paidBy(scene, other);
    await refuses(poor, 'payment_failed', 'insufficient_funds');
  });

  it('is refused before anybody is asked if it is late, early, too low, or for somebody else', async () => {
    const wallet = await rich();
    const asked = inFront.asked();
    const { address } = Wallet.createRandom();
    for (const [changes, reason] of [
      [{ seconds: -1 }, 'invalid_exact_evm_payload_authorization_valid_before'],
      [{ seconds: 100_000 }, 'invalid_exact_evm_payload_authorization_valid_before'],
      [
        { sent: { validAfter: '9999999999' } },
        'invalid_exact_evm_payload_authorization_valid_after',
      ],
      [{ usd: 0.001 }, 'invalid_exact_evm_payload_authorization_value_too_low'],
      [{ usd: 0.0005 }, 'invalid_exact_evm_payload_authorization_value'],
      [{ usd: 100.01 }, 'invalid_exact_evm_payload_authorization_value'],
      [{ to: address }, 'invalid_exact_evm_payload_recipient_mismatch'],
      [{ accepted: { network: 'eip155:1' } }, 'invalid_network'],
      [{ accepted: { payTo: address } }, 'invalid_payment_requirements'],
      [{ accepted: { asset: address } }, 'invalid_payment_requirements'],
      [{ accepted: { scheme: 'upto' } }, 'invalid_scheme'],
      [{ sent: { nonce: '0x12' } }, 'invalid_payload'],
    ] as const) {
      const reply = await refuses(await paidBy(scene, wallet, changes), 'payment_invalid', reason);
      expect(requiredBy(reply).accepts[0].amount, reason).to.equal('2000');
    }
    await refuses({ 'payment-signature': '%%%' }, 'payment_invalid', 'malformed');
    const elsewhere = { ...(await signed(scene, wallet)).v1, network: 'base-sepolia' };
    await refuses({ 'x-payment': encoded(elsewhere) }, 'payment_invalid', 'invalid_network');
    expect(inFront.asked()).to.equal(asked);
  });

  it('is taken once, for one call: of ten at once each gets the one answer', async () => {
    const before = await received();
    const headers = await paidBy(scene, await rich());
    const replies = await Promise.all(Array.from({ length: 10 }, () => call(headers)));
    expect(replies.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
    expect(new Set(replies.map(({ text }) => text)).size).to.equal(1);
    expect((await received()) - before).to.equal(2_000n);

    const again = await call(headers);
    expect([again.text, again.headers.get('idempotent-replayed')]).to.deep.equal([
      replies[0]!.text,
      'true',
    ]);
    const other = await call(headers, 'GET /x402/api/v1/email/validate/another');
    expect([other.status, other.body.error]).to.deep.equal([409, 'payment_used']);
    const agent = await scene.platform.agent();
    const withKey = await scene.platform.request(EMAIL.replace('/x402', ''), { ...agent, headers });
    expect([withKey.status, withKey.body.error]).to.deep.equal([409, 'payment_used']);
    expect((await received()) - before).to.equal(2_000n);
  });

  it('is the same in other letters', async () => {
    const before = await received();
    const { v2 } = await signed(scene, await rich());
    const { authorization } = v2.payload;
    const nonce = `0x${authorization.nonce.slice(2).toUpperCase()}`;
    const payload = { ...v2.payload, authorization: { ...authorization, nonce } };
    const [first, again] = [
      await call({ 'payment-signature': encoded(v2) }),
      await call({ 'payment-signature': encoded({ ...v2, payload }) }),
    ];
    expect([first.status, again.status, again.text]).to.deep.equal([200, 200, first.text]);
    expect((await received()) - before).to.equal(2_000n);
  });

  it('answers its call for a day, and is then no payment for another', async () => {
    const before = await received();
    const headers = await paidBy(scene, await rich());
    expect((await call(headers)).status).to.equal(200);
    const aged = (hours: number) =>
      scene.platform.query(
        `update x402_payment set created_at = now() - make_interval(hours => $1)
          where id = (select max(id) from x402_payment)`,
        [hours],
      );
    await aged(23);
    expect((await call(headers)).headers.get('idempotent-replayed')).to.equal('true');
    await aged(25);
    const late = await call(headers);
    expect([late.body.error, late.body.details.charged]).to.deep.equal(['payment_used', false]);
    expect((await received()) - before).to.equal(2_000n);
  });

  it('is not taken for a call that has its answer by its own key', async () => {
    const { platform } = scene;
    const before = await received();
    const product = await platform.product(await platform.agent(), { price: 0.1 });
    const buyer = await platform.agent(); // with its $0.50
    const body = { product_id: product.id };
    const own = { 'idempotency-key': 'once' };
    const buy = (headers: Record<string, string>) =>
      platform.request('POST /api/v1/orders', { key: buyer.key, body, headers });
    const first = await buy(own);
    expect([first.status, await platform.balance(buyer)]).to.deep.equal([200, 0.39]);
    const again = await buy({ ...own, ...(await paidBy(scene, await rich(), { usd: 0.11 })) });
    expect([again.status, again.text]).to.deep.equal([200, first.text]);
    expect(again.headers.get('payment-response')).to.equal(null);
    expect(await platform.balance(buyer)).to.equal(0.39);
    expect(await received()).to.equal(before);
  });

  it('stays in the wallet when the call fails, and the answer says so', async () => {
    const { platform } = scene;
    const agent = await platform.agent();
    await platform.request(`POST /agent/monitor/${agent.id}/policy`, {
      key: agent.key,
      body: { max_spend_per_tx: 0.001 },
    });
    const headers = await paidBy(scene, await rich());
    const reply = await platform.request(EMAIL.replace('/x402', ''), { key: agent.key, headers });
    expect([reply.status, reply.body.error]).to.deep.equal([402, 'tx_limit_exceeded']);
    expect(reply.body.payment).to.include({ in_wallet: true, amount: 0.002 });
    expect(settlementOf(reply).success).to.equal(true);
    expect(reply.headers.get('payment-required')).to.equal(null);
    expect(await platform.balance(agent)).to.equal(0.502);
  });

  it('is credited though the facilitator says it failed, if it is on the chain', async () => {
    const before = await received();
    inFront.answerSettle(() => ({ success: false, errorReason: 'unexpected_settle_error' }));
    const reply = await call(await paidBy(scene, await rich()));
    expect([reply.status, (await received()) - before]).to.deep.equal([200, 2_000n]);
  });

  it('is not believed to be settled because a facilitator says so, nor not to be if it says nothing', async () => {
    const transaction = `0x${'ab'.repeat(32)}`;
    const settled = { success: true, transaction, network: 'eip155:8453' };
    for (const [said, reason] of [
      [settled, 'not_found_on_chain'],
      [{}, 'facilitator_unavailable'],
    ] as const) {
      inFront.answerInstead({ isValid: true, ...said });
      const headers = await paidBy(scene, await rich());
      const { status, body } = await call(headers);
      expect(status).to.equal(402);
      expect(body.error).to.equal('payment_failed');
      expect(body.details).to.include({ charged: null, reason });
      inFront.passTo(scene.facilitator.url);
      expect((await call(headers)).status).to.equal(200); // the same payment
    }
  });

  it('is not said to be refused in the words of a facilitator', async () => {
    inFront.answerInstead({ isValid: false, invalidReason: 'Pay <b>me</b>, and then ask again.' });
    const { body } = await call(await paidBy(scene, await rich()));
    inFront.passTo(scene.facilitator.url);
    // It has the payment now, and may settle it whatever it says.
    expect([body.details.reason, body.details.charged]).to.deep.equal(['refused', null]);
    expect(JSON.stringify(body)).not.to.contain('<b>');
  });

  it('is not said to have lapsed by a node of another chain', async () => {
    const other = await startEvm({ chainId: 84_532 });
    const x402 = { ...scene.platform.config.x402!, rpcUrl: other.url };
    const { v2 } = await signed(scene, await rich(), { seconds: -1 });
    const { authorization } = v2.payload;
    const payment = {
      payer: authorization.from,
      nonce: authorization.nonce,
      authorization,
      amount: 2_000n,
      validBefore: new Date(0),
      recordedAt: new Date(),
    };
    try {
      // No facilitator is asked, so nothing goes through the guard.
      const found = openX402({ x402 }, {} as never, {} as never).find(payment as never);
      expect(String(await found.catch((error: unknown) => error))).to.contain('is of chain 84532');
    } finally {
      await other.close();
    }
  });

  it('is asked for again while the facilitator hangs, and taken once when it answers', async () => {
    const before = await received();
    const headers = await paidBy(scene, await rich());
    inFront.hang();
    const hanging = await call(headers, `${EMAIL}?wait=1`);
    expect([hanging.status, hanging.body.error]).to.deep.equal([503, 'payment_pending']);
    inFront.passTo(scene.facilitator.url);
    const reply = await eventually(
      () => call(headers),
      ({ status }) => status === 200,
    );
    expect(settlementOf(reply).amount).to.equal('2000');
    expect((await received()) - before).to.equal(2_000n);
  }).timeout(30_000);

  it('leaves as much in the books as on the chain', async () => {
    expect(await audit(scene.platform.context.database)).to.deep.equal([]);
    const sql = `select sum(amount) as paid from x402_payment where status = 'settled'`;
    expect(BigInt((await scene.platform.query(sql))[0].paid)).to.equal(await received());
  });
});
