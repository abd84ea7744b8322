import { createHash } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { operator } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';
import { claimsAs, labor, openPool, verdictsOf, workThrough } from '../labor/pool.ts';
import { act, openDeal } from '../orders/deal.ts';
import { act as task, done, hire, openJob, submit } from '../tasks/board.ts';

interface Party {
  readonly role: string;
  readonly agent_id: number;
}
interface Term {
  readonly what: string;
  readonly text: { content: string };
}
interface Entry {
  readonly what: string;
  readonly event: string;
  readonly by: string;
  readonly text: { content: string } | null;
}

const eventsOf = ({ history }: { history: readonly Entry[] }) => history.map(({ event }) => event);

describe('the evidence of a dispute', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const read = (id: number, kind = 'order') =>
    platform.request(`GET /api/v1/admin/disputes/${kind}/${id}`, { key: OPERATOR_TOKEN });
  const decide = async (path: string, body: object) =>
    done(
      await platform.request(`POST /api/v1/admin/disputes/${path}/verdict`, {
        key: OPERATOR_TOKEN,
        body,
      }),
    );

  it('is what was sold, delivered and opened, in the order of time', async () => {
    const description = 'It opens the lock of the tests.';
    const deal = await openDeal(platform, { description, units: 2 });
    const { orderId, buyer, seller, productId } = deal;
    await act(platform, 'get_vault_item', { orderId, key: buyer.key });
    await act(platform, 'dispute_order', { orderId, key: buyer.key });
    // Units that nobody has bought are no evidence.
    const stocked = await platform.request(`POST /api/v1/products/${productId}/stock`, {
      key: seller.key,
      body: { items: ['KEY-unsold'] },
    });
    expect(stocked.status, stocked.text).to.equal(200);
    const { status, body } = await read(orderId);
    expect(status).to.equal(200);
    expect(body).to.include({ kind: 'order', status: 'disputed', title: 'A serial key' });
    expect(body.listing).to.deep.include({
      unit_price: 1,
      quantity: 2,
      version: 1,
      version_changed_at: null,
    });
    expect(body.delivered).to.have.length(1);
    expect(body.delivered[0]).to.include({ by: 'seller', units: 2, text: null });
    const text = { untrusted: true, content: description };
    expect(body.promised).to.deep.equal([{ what: 'description', text }]);
    expect(eventsOf(body)).to.deep.equal(['bought', 'opened', 'disputed']);
    expect(body.history[1].username).to.equal(buyer.username);
    expect(body.decision).to.equal(null);
    expect(JSON.stringify(body)).to.not.include('KEY-');

    // Also when the seller has changed the listing since.
    const changed = await platform.request(`PATCH /api/v1/products/${productId}`, {
      key: seller.key,
      body: { description: 'It opens every lock.' },
    });
    expect(changed.status, changed.text).to.equal(200);
    const after = (await read(orderId)).body;
    expect(after.listing).to.include({ version: 1, current_version: 2 });
    const texts = after.promised.map(({ what, text: { content } }: Term) => [what, content]);
    expect(texts, 'as it was bought').to.deep.equal([
      ['description', description],
      ['description_now', 'It opens every lock.'],
    ]);
    expect(eventsOf(after)).to.deep.equal(['bought', 'opened', 'disputed', 'changed']);
  });

  it('is of disputed orders alone, open and over, and for operators alone', async () => {
    const { orderId, buyer, seller } = await openDeal(platform);
    for (const path of [`disputes/order/${orderId}`, 'machine', 'first-steps']) {
      for (const { key } of [buyer, seller]) {
        const { status, body } = await platform.request(`GET /api/v1/admin/${path}`, { key });
        expect([status, body.error], path).to.deep.equal([401, 'invalid_key']);
        expect(body.message).to.include('key of an agent');
      }
    }
    const other = await openDeal(platform);
    await act(platform, 'get_vault_item', { orderId: other.orderId, key: other.buyer.key });
    for (const id of [orderId, 2 ** 31 - 1]) {
      const { status, body } = await read(id);
      expect([status, body.error]).to.deep.equal([404, 'not_found']);
    }
    await act(platform, 'get_vault_item', { orderId, key: buyer.key });
    await act(platform, 'dispute_order', { orderId, key: buyer.key });
    await act(platform, 'withdraw_dispute', { orderId, key: buyer.key });
    const over = (await read(orderId)).body;
    expect(eventsOf(over)).to.deep.equal(['bought', 'opened', 'disputed', 'decided']);
    expect(over.history[1].username, 'of this order').to.equal(buyer.username);
    expect(over.decision).to.deep.include({ verdict: 'withdrawn', by: 'buyer', note: null });
  });

  it('of a task is every result of its worker, with its hash, and what both said', async () => {
    const job = await openJob(platform, { description: 'One sea is enough.' });
    const { taskId, poster, worker } = job;
    const other = await platform.agent();
    done(await submit(platform, { taskId, ...other }, 'Baltic'));
    const bidId = await hire(platform, job);
    for (const result of ['Lake Van', 'Aral Sea']) {
      done(await submit(platform, { taskId, ...worker }, result));
      if (result === 'Lake Van') {
        done(await task(platform, 'revision', { taskId, ...poster }, { note: 'A sea.' }));
      }
    }
    const undisputed = await read(taskId, 'task');
    expect([undisputed.status, bidId > 0]).to.deep.equal([404, true]);
    done(await task(platform, 'reject', { taskId, ...poster }, { reason: 'It is gone.' }));
    done(await task(platform, 'dispute', { taskId, ...worker }, { reason: 'It is a sea.' }));
    const { body } = await read(taskId, 'task');
    expect(body.parties.map(({ role, agent_id: id }: Party) => [role, id])).to.deep.equal([
      ['poster', poster.id],
      ['worker', worker.id],
    ]);
    const sha256 = createHash('sha256').update('Aral Sea').digest('hex');
    expect(body.delivered.map(({ status }: { status: string }) => status)).to.deep.equal([
      'superseded',
      'disputed',
    ]);
    expect(body.delivered[1]).to.deep.include({
      sha256,
      text: { untrusted: true, content: 'Aral Sea' },
    });
    expect(JSON.stringify(body)).to.not.include('Baltic');
    const times = body.history.flatMap(({ at }: { at: string | null }) => at ?? []);
    expect(times, 'in their order').to.deep.equal(times.toSorted()).and.have.length(6);
    const said = body.history.map(({ event, by, text }: Entry) => [event, by, text?.content]);
    expect(said.slice(-2)).to.deep.equal([
      ['rejected', 'poster', 'It is gone.'],
      ['disputed', 'worker', 'It is a sea.'],
    ]);
    const browser = await operator(platform);
    const { text } = await browser.get(`/admin/decisions?kind=task_disputes&id=${taskId}`);
    expect(text).to.include(sha256).and.include('What was promised');
    const split = { verdict: 'split', worker_amount: 0.3, note: 'It was one.' };
    await decide(`task/${taskId}`, split);
    const { decision } = (await read(taskId, 'task')).body;
    expect(decision).to.deep.include({ verdict: 'split', by: 'operator', returned: 0.7 });
  });

  it('of labor is the known answer, what others answered and why it was rejected', async () => {
    const units = [{ payload: 'picture 1', expected: 'cat' }, { payload: 'picture 2' }];
    const template = { form: 'transcription' };
    const fields = { units, overlap: 2, template, kind: 'transcription' };
    const { taskId } = await openPool(platform, fields);
    const [worker, other] = [await platform.agent(), await platform.agent()];
    for (const agent of [worker, other]) {
      await workThrough(platform, taskId, agent, (unit) => `kitten of ${unit}`);
    }
    await verdictsOf(platform, taskId);
    const found = await claimsAs(platform, worker, taskId);
    const rejected = found.find(({ status }) => status === 'rejected')!;
    const claimId = rejected.claim_id as number;
    expect((await read(claimId, 'labor')).status, 'nobody appealed').to.equal(404);
    const appeal = { claim_id: claimId, reason: 'A kitten is a cat.' };
    const appealed = done(await labor(platform, 'appeal', { taskId, ...worker }, appeal));
    expect(appealed.dispute).to.include({ verdict: null, note: null, closed_at: null });
    const { body } = await read(claimId, 'labor');
    const promised = body.promised.map(({ what, text }: Entry) => [what, text!.content]);
    expect(promised)
      .to.deep.include(['known_answer', 'cat'])
      .and.deep.include(['unit', 'picture 1']);
    expect(promised.map(([what]: string[]) => what)).to.include('template');
    const delivered = body.delivered.map(({ by, text }: Entry) => [by, text!.content]);
    expect(delivered).to.deep.equal([
      ['worker', 'kitten of picture 1'],
      ['other', 'kitten of picture 1'],
    ]);
    const [, , , reason, complaint] = body.history;
    expect(reason).to.include({ event: 'rejected', by: 'rule' });
    expect(reason.text.content).to.match(/known answers/);
    expect(complaint.text.content).to.equal('A kitten is a cat.');
    const browser = await operator(platform);
    const { text } = await browser.get(`/admin/decisions?kind=labor_appeals&id=${claimId}`);
    expect(text).to.include('the known answer').and.include('worker of another delivery');
    await decide(`labor/${claimId}`, { verdict: 'accept', note: 'It is a cat.' });
    const closed = (await read(claimId, 'labor')).body;
    expect(eventsOf(closed).at(-1)).to.equal('decided');
    expect(closed.decision).to.include({ verdict: 'accept', by: 'operator', note: 'It is a cat.' });
    const [own] = (await claimsAs(platform, worker, taskId)).filter(
      ({ claim_id: id }) => id === claimId,
    );
    expect(own!.dispute, 'its worker reads why').to.deep.include({
      verdict: 'accept',
      decided_by: 'operator',
      note: 'It is a cat.',
    });
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('stands beside the verdict', async () => {
    const { orderId, buyer, seller } = await openDeal(platform, {
      stock_kind: 'unlimited',
      content: 'The secret text.',
    });
    const answer = { order_id: orderId, text: 'Thank you for <b>buying</b>.' };
    await platform.request('POST /api/v1/messages', { key: seller.key, body: answer });
    await act(platform, 'dispute_order', { orderId, key: buyer.key });
    await act(platform, 'respond_dispute', { orderId, key: seller.key });
    const browser = await operator(platform);
    const { text } = await browser.get(`/admin/decisions?kind=order_disputes&id=${orderId}`);
    expect(text)
      .to.include('never opened')
      .and.include('The listing has not changed since.')
      .and.include('Thank you for &lt;b>buying&lt;/b>.')
      .and.include('Content by the seller, in the vault')
      .and.not.include('The secret text.');
    const first = await browser.get('/admin/decisions?kind=order_disputes');
    expect(first.text).to.include('Show all the evidence');
    expect(text, 'no verdict is chosen for the operator').to.match(
      /<select[^>]*name="verdict"[^>]*>.{0,200}choose/s,
    );
    await decide(`order/${orderId}`, { verdict: 'refund', note: 'It is too late.' });
    const decided = await browser.get(`/admin/decisions?kind=order_disputes&id=${orderId}`);
    expect(decided.text)
      .to.include('is decided.')
      .and.include('It is too late.')
      .and.not.include(`name="order_id" value="${orderId}"`);
    const none = await browser.get('/admin/decisions?kind=order_disputes&id=77777');
    expect(none.text)
      .to.include('Nothing with this number waits')
      .and.not.include(`name="order_id" value="${orderId}"`);
    // A card that asks for what there is not says so: no cursor of the reader is wrong here.
    const wrong = await browser.get('/admin/decisions?kind=order_disputes&id=999999999');
    expect(wrong.status).to.equal(200);
  });
});
