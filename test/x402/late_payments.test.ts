import { expect } from 'chai';
import { Interface, Signature } from 'ethers';

import { audit } from '../../shared/composition/audit.ts';
import type { Tx } from '../../shared/kernel/tx.ts';
import { INDEX_FROM } from '../../shared/domains/x402/deposit_index.ts';
import { lookForX402Payment } from '../../shared/domains/x402/look_for_x402_payment.ts';
import { readPayment, recordedOf } from '../../shared/domains/x402/payments.ts';
import { settleX402Payment } from '../../shared/domains/x402/settle_x402_payment.ts';
import { openX402 } from '../../workers/gateways/x402/x402.ts';
import { railOf } from '../deposits/paid_in.ts';
import { eventually, type Reply } from '../harness.ts';
import { inQueue } from '../in_queue.ts';
import type { FacilitatorInFront } from './facilitator_in_front.ts';
import { openSceneInFront, payer, type SceneInFront } from './scene.ts';
import { encoded, signed, USDC } from './signed.ts';

const EMAIL = 'GET /x402/api/v1/email/validate/not-an-address'; // for $0.002

describe('a payment by x402 that a facilitator refused without need', () => {
  let scene: SceneInFront;
  let inFront: FacilitatorInFront;
  before(async () => {
    scene = await openSceneInFront();
    ({ inFront } = scene);
  });
  after(() => scene.close());

  const call = (headers: Record<string, string>): Promise<Reply> =>
    scene.platform.request(EMAIL, { headers });
  const received = () => scene.evm.balanceOf(scene.payTo);

  /** Refused as if it had failed, while nobody has settled it. */
  async function refused() {
    const { wallet } = await payer(scene);
    const { v2 } = await signed(scene, wallet);
    const { nonce } = v2.payload.authorization;
    const headers = { 'payment-signature': encoded(v2) };
    inFront.answerInstead({ isValid: true, success: false, errorReason: REASON });
    const { body } = await call(headers);
    inFront.passTo(scene.facilitator.url);
    expect([body.error, body.details.reason, body.details.charged]).to.deep.equal([
      'payment_failed',
      REASON,
      null,
    ]);
    // No terms of another payment: this one may still be settled.
    expect([body.details.amount_due, body.accepts]).to.deep.equal([undefined, undefined]);
    const sql = 'select id::int from x402_payment where nonce = $1';
    const [{ id }] = await scene.platform.query(sql, [nonce]);
    /** It gets to the chain all the same. */
    const settle = async () => {
      const settled = await fetch(`${scene.facilitator.url}/settle`, {
        method: 'POST',
        body: JSON.stringify({ paymentPayload: v2, paymentRequirements: v2.accepted }),
      });
      expect(await settled.json()).to.include({ success: true });
    };
    return { id, headers, settle, wallet, nonce };
  }
  /** The finding of an immediate look. */
  const lookedFor = (id: number) =>
    eventually(
      async () => {
        await scene.platform.query(LOOK_NOW);
        const sql = 'select status from x402_payment where id = $1';
        return (await scene.platform.query(sql, [id]))[0].status;
      },
      (status) => status !== 'open',
    );

  it('is credited when it gets to the chain later, and pays for its call then', async () => {
    const before = await received();
    const { id, headers, settle } = await refused();
    await settle();
    expect(await lookedFor(id)).to.equal('settled');
    const reply = await call(headers);
    expect([reply.status, reply.body.charged]).to.deep.equal([200, 0.002]);
    expect((await received()) - before).to.equal(2_000n);
  });

  it('has lapsed when its time is over, and nothing was taken', async () => {
    const { evm } = scene;
    const before = await received();
    const { id, headers } = await refused();
    const today = await evm.send('evm_snapshot');
    await evm.send('evm_increaseTime', [121]);
    await evm.mine();
    expect(await lookedFor(id)).to.equal('lapsed');
    await evm.send('evm_revert', [today]);
    const { body } = await call(headers);
    expect([body.error, body.details.reason, body.details.charged]).to.deep.equal([
      'payment_failed',
      'expired',
      false,
    ]);
    expect(await received()).to.equal(before);
  });

  it('has lapsed when its payer has cancelled it, and says so', async () => {
    const { id, headers, wallet, nonce } = await refused();
    const cancelled = { authorizer: wallet.address, nonce };
    const { v, r, s } = Signature.from(await wallet.signTypedData(DOMAIN, CANCEL, cancelled));
    const data = ASSET.encodeFunctionData('cancelAuthorization', [wallet.address, nonce, v, r, s]);
    const [from] = (await scene.evm.send('eth_accounts')) as string[];
    await scene.evm.send('eth_sendTransaction', [{ from, to: USDC, data }]);
    expect(await lookedFor(id)).to.equal('lapsed');
    const { body } = await call(headers);
    expect(body.error).to.equal('payment_failed');
    const { reason, charged, amount_due: due } = body.details;
    expect([reason, charged, due]).to.deep.equal(['cancelled', false, 0.002]);
  });

  it('is settled for one of three calls that repeat it at once, and each gets its answer', async () => {
    const { platform } = scene;
    const before = await received();
    const { id, headers } = await refused();
    const lock = `select from x402_payment where id = ${id} for update`;
    const replies = await inQueue(
      platform,
      lock,
      Array.from({ length: 3 }, () => () => call(headers)),
    );
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(new Set(replies.map(({ text }) => text)).size).to.equal(1);
    expect((await received()) - before).to.equal(2_000n);
    const sql = `select count(*)::int as jobs from job
                  where operation = 'settle_x402_payment' and input ->> 'payment_id' = $1`;
    const [{ jobs }] = await platform.query(sql, [String(id)]);
    expect(jobs).to.equal(2); // that which was refused, and one of the repeated
  });

  it('is not said to have failed by one that is behind another which credits it', async () => {
    const { platform } = scene;
    const { id, headers, settle } = await refused();
    await settle();
    const recorded = recordedOf(await readPayment(platform.context.database, id));
    // No facilitator is asked, so nothing goes through the guard.
    const found = await openX402(platform.config, {} as never, {} as never).find(recorded);
    expect(found.transfer).to.be.an('object');
    const { inTx } = railOf(() => platform);
    const by = (act: (tx: Tx) => Promise<unknown>) => () => inTx(act);
    const settling = (saw: object) =>
      by((tx) => settleX402Payment.handle(tx, { payment_id: id }, saw as never));
    const answers = await inQueue(
      platform,
      `select from x402_payment where id = ${id} for update`,
      [
        by((tx) => lookForX402Payment.handle(tx, { payment_id: id }, found)),
        settling({ isLapsed: true }), // of a node that is behind
        settling({ isLapsed: false, reason: 'facilitator_unavailable' }),
      ],
    );
    expect(answers).to.deep.equal(Array(3).fill({ status: 'settled' }));
    const reply = await call(headers);
    expect([reply.status, reply.body.charged]).to.deep.equal([200, 0.002]);
  });

  it('is not paid by a transfer that has paid for another', async () => {
    const { platform } = scene;
    const { inTx } = railOf(() => platform);
    const other = await refused();
    await other.settle();
    expect(await lookedFor(other.id)).to.equal('settled');
    const [transfer] = await platform.query(
      `select d.tx_id as "txId", d.tx_index - ${INDEX_FROM} as "logIndex"
         from deposit d join x402_payment p on p.deposit_id = d.id where p.id = $1`,
      [other.id],
    );
    const { id } = await refused();
    const found = { transfer, isLapsed: false };
    const looked = inTx((tx) => lookForX402Payment.handle(tx, { payment_id: id }, found));
    expect(String(await looked.catch((error: unknown) => error))).to.contain('already');
    const sql = 'select status, deposit_id from x402_payment where id = $1';
    expect(await platform.query(sql, [id])).to.deep.equal([{ status: 'open', deposit_id: null }]);
  });

  it('leaves as much in the books as on the chain', async () => {
    expect(await audit(scene.platform.context.database)).to.deep.equal([]);
    const sql = `select sum(amount) as paid from x402_payment where status = 'settled'`;
    expect(BigInt((await scene.platform.query(sql))[0].paid)).to.equal(await received());
  });
});

const REASON = 'unexpected_settle_error';

const DOMAIN = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC };
const CANCEL = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
};
const ASSET = new Interface([
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);

/** Makes the looks for payments due now. */
const LOOK_NOW = `
  update job set run_at = now(), push_after = now()
   where id in (select id from job where operation = 'look_for_x402_payment'
                   and status = 'pending' for update skip locked)`;
