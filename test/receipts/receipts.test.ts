import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { asOwner } from '../as_owner.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { act, decide, expectRefusal, openDeal } from '../orders/deal.ts';
import { buy, meet, startTimer } from '../orders/trade.ts';
import { done } from '../tasks/board.ts';
import { rollUp } from '../wallet/reports/roll_up.ts';
import { eventually } from '../platform/eventually.ts';
import { hashOf, issueReceipts, receiptOf, receiptsOf, verified } from './receipt_book.ts';

describe('receipts', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    await issueReceipts(platform);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('say what was bought, for how much, and what was delivered', async () => {
    const { seller, buyer, orderId, productId } = await openDeal(platform, { units: 2 });
    const { body: vault } = await platform.request(`GET /vault/${orderId}`, buyer);
    await act(platform, 'confirm_order', { orderId, key: buyer.key });
    expect(await receiptsOf(platform, buyer, `kind=order&object_id=${orderId}`)).to.have.length(0);
    await issueReceipts(platform);

    const [bought, sold] = [
      await receiptOf(platform, buyer, 'order', orderId),
      await receiptOf(platform, seller, 'order', orderId),
    ];
    expect(bought).to.include({ side: 'payer' });
    expect(sold).to.deep.equal({ ...bought, side: 'payee' });
    const said = await verified(platform, bought.receipt);
    expect(said).to.deep.include({
      receipt_id: bought.receipt_id,
      kind: 'order',
      object_id: orderId,
      outcome: 'completed',
      amounts: { paid: 2.2, to_payee: 2, fee: 0.2, refunded: 0 },
    });
    expect([said.payer!.agent_id, said.payee!.agent_id]).to.deep.equal([buyer.id, seller.id]);
    expect(said.transfers.map(({ kind, credit, cash }) => [kind, credit, cash])).to.deep.equal([
      ['order.hold', 0.5, 1.7],
      ['order.release', 0.5, 1.5],
      ['order.fee', 0, 0.2],
    ]);
    expect(said.item).to.deep.include({ product_id: productId, version: 1, quantity: 2 });
    const { body: product } = await platform.request(`GET /api/v1/products/${productId}`, buyer);
    expect(said.item.listing_sha256).to.equal(
      hashOf(`${product.title}\n${product.description.content ?? product.description}`),
    );
    const items = vault.items.map(({ content }: { content: string }) => content);
    const content = [bought.content_salt, ...items].join('\n');
    expect(said.item.content_sha256).to.equal(hashOf(content));
    expect(bought.receipt).to.not.contain(bought.content_salt);
  });

  it('say what came back', async () => {
    const goods = { stock_kind: 'unlimited', content: 'The same for all.' };
    const all = await openDeal(platform, goods);
    await platform.request(`POST /api/v1/orders/${all.orderId}/refund`, all.buyer);
    const part = await openDeal(platform);
    await act(platform, 'dispute_order', { orderId: part.orderId, key: part.buyer.key });
    done(await decide(platform, part.orderId, { verdict: 'split', seller_amount: 0.3 }));
    await issueReceipts(platform);
    const whole = await receiptOf(platform, all.buyer, 'order', all.orderId);
    const said = await verified(platform, whole.receipt);
    expect(said).to.deep.include({
      outcome: 'refunded',
      amounts: { paid: 1.1, to_payee: 0, fee: 0, refunded: 1.1 },
    });
    expect([whole.content_salt, said.item.content_sha256]).to.deep.equal([null, undefined]);
    const { receipt } = await receiptOf(platform, part.seller, 'order', part.orderId);
    expect(await verified(platform, receipt)).to.deep.include({
      outcome: 'partially_refunded',
      amounts: { paid: 1.1, to_payee: 0.3, fee: 0.03, refunded: 0.77 },
    });
  });

  it('are issued for all others where goods of one cannot be opened any more', async () => {
    const damaged = await openDeal(platform, { units: 2 });
    const whole = await openDeal(platform, { units: 2 });
    await asOwner(
      platform,
      `update stock_secret set secret = 'x' where stock_id =
         (select min(id) from stock where order_id = ${damaged.orderId})`,
    );
    for (const { orderId, buyer } of [damaged, whole]) {
      await act(platform, 'confirm_order', { orderId, key: buyer.key });
    }
    await issueReceipts(platform);
    const hashes = [];
    for (const { orderId, buyer } of [damaged, whole]) {
      const { receipt } = await receiptOf(platform, buyer, 'order', orderId);
      hashes.push(typeof (await verified(platform, receipt)).item.content_sha256);
    }
    expect(hashes).to.deep.equal(['undefined', 'string']);
  });

  it('are a chain for each tree, and one document for both parties', async () => {
    const { seller, buyer, product } = await meet(platform, { items: ['a', 'b', 'c'] });
    const child = await childOf(platform, buyer);
    for (const agent of [buyer, child, buyer]) {
      const orderId = await buy(platform, agent, product);
      await act(platform, 'confirm_order', { orderId, key: agent.key });
    }
    await issueReceipts(platform);
    const chain = await receiptsOf(platform, buyer);
    expect(chain.map(({ kind }) => kind)).to.deep.equal(['deposit', 'order', 'order', 'order']);
    const said = await Promise.all(chain.map(({ receipt }) => verified(platform, receipt)));
    const previous = said.map((one) => (one.payer ?? one.payee)!.previous);
    expect(previous).to.deep.equal([
      null,
      ...chain.slice(0, 3).map(({ receipt }) => hashOf(receipt)),
    ]);
    expect(chain.map(({ receipt }) => hashOf(receipt))).to.deep.equal(
      chain.map(({ sha256 }) => sha256),
    );
    const sales = await receiptsOf(platform, seller);
    expect(sales.map(({ receipt }) => receipt)).to.deep.equal(
      chain.slice(1).map(({ receipt }) => receipt),
    );
    expect(await receiptsOf(platform, child)).to.deep.equal([chain[2]]);
    expect(await receiptsOf(platform, buyer, `agent_id=${child.id}`)).to.deep.equal([chain[2]]);
    const first = await platform.request('GET /api/v1/receipts?limit=1&below=true', buyer);
    expect(first.body.receipts).to.deep.equal([chain[3]]);
    const next = `GET /api/v1/receipts?limit=3&below=true&cursor=${first.body.next_cursor}`;
    const rest = (await platform.request(next, buyer)).body.receipts;
    expect(rest).to.deep.equal(chain.slice(0, 3).toReversed());
  });

  it('are shown to their parties alone', async () => {
    const { seller, buyer, orderId } = await openDeal(platform);
    await act(platform, 'confirm_order', { orderId, key: buyer.key });
    await issueReceipts(platform);
    const { receipt_id: id } = await receiptOf(platform, buyer, 'order', orderId);
    const outsider = await platform.agent();
    expectRefusal(await platform.request(`GET /api/v1/receipts/${id}`, outsider), 404, 'not_found');
    expect(await receiptsOf(platform, outsider, `kind=order&object_id=${orderId}`)).to.have.length(
      0,
    );
    const full = done(await platform.request(`GET /api/v1/receipts/${id}`, seller));
    expect(full.document).to.deep.equal(await verified(platform, full.receipt));
    expect(full.inclusion).to.equal(null);
    for (const query of ['kind=order', `object_id=${orderId}`]) {
      const { status, body } = await platform.request(`GET /api/v1/receipts?${query}`, buyer);
      expect([status, body.error], query).to.deep.equal([422, 'validation_error']);
    }
  });

  it('are issued once, however many timers run at once', async () => {
    const { buyer, product } = await meet(platform, { items: ['a', 'b', 'c', 'd'] });
    for (let n = 0; n < 4; n += 1) {
      const orderId = await buy(platform, buyer, product);
      await act(platform, 'confirm_order', { orderId, key: buyer.key });
    }
    await rollUp(platform);
    await Promise.all(Array.from({ length: 4 }, () => startTimer(platform, 'issue_receipts')));
    await eventually(
      () => receiptsOf(platform, buyer),
      (found) => found.filter(({ kind }) => kind === 'order').length === 4,
    );
    await eventually(
      () =>
        platform.query(`select from job where operation = 'issue_receipts' and status = 'pending'`),
      (pending) => pending.length === 0,
    );
    // None met what another was writing, and had to begin again.
    const faults = await platform.query(
      `select fault from job where operation = 'issue_receipts' and (attempts > 0 or fault <> '')`,
    );
    expect(faults).to.deep.equal([]);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('stay valid when an operator replaces the key, which is erased', async () => {
    const { buyer, orderId } = await openDeal(platform);
    await issueReceipts(platform);
    const [before] = await receiptsOf(platform, buyer);
    const { keys: old } = (await platform.request('GET /.well-known/jwks.json')).body;
    const route = 'POST /api/v1/admin/receipt-keys/rotate';
    const { kid } = done(await platform.request(route, { key: OPERATOR_TOKEN }));
    await act(platform, 'confirm_order', { orderId, key: buyer.key });
    await issueReceipts(platform);
    const { keys } = (await platform.request('GET /.well-known/jwks.json')).body;
    expect(keys.slice(0, -1)).to.deep.equal(old);
    expect(keys.at(-1)).to.include({ kid, kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
    const after = await receiptOf(platform, buyer, 'order', orderId);
    for (const { receipt } of [before!, after]) await verified(platform, receipt);
    const headerOf = ({ receipt }: { receipt: string }) =>
      JSON.parse(Buffer.from(receipt.split('.')[0]!, 'base64url').toString());
    expect(headerOf(after).kid).to.equal(kid);
    expect(headerOf(before!).kid).to.not.equal(kid);
    const kept = await platform.query(
      'select sealed is null as erased from receipt_key order by id',
    );
    expect(kept.map(({ erased }: { erased: boolean }) => erased)).to.deep.equal([
      ...old.map(() => true),
      false,
    ]);
  });
});
