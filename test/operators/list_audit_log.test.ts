import { expect } from 'chai';

import { PLATFORM } from '../../shared/kernel/caller.ts';
import { perform } from '../../shared/performing/perform.ts';
import { reviewProduct } from '../../shared/domains/products/review_product.ts';
import { refreshProxies } from '../../shared/domains/proxies/sources/refresh_proxies.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { patience } from '../platform/pace.ts';

const ADA = 'a-token-that-only-ada-has';
const GRACE = 'a-token-that-only-grace-has';

describe('list_audit_log', () => {
  let platform: TestPlatform;
  let seller: { id: number; key: string };
  before(async () => {
    platform = await TestPlatform.open({
      env: { OPERATOR_TOKENS: `ada:${ADA}, grace:${GRACE}` },
      schedules: true,
    });
    seller = await platform.agent();
  });
  after(() => platform.close());

  const list = async (query = '') => {
    const reply = await platform.request(`GET /api/v1/admin/audit-log?${query}`, { key: ADA });
    return reply.body;
  };
  const about = async (id: number) => (await list(`object_kind=product&object_id=${id}`)).entries;
  const review = (key: string, id: number, body: object) =>
    platform.request(`POST /api/v1/admin/products/${id}/review`, { key, body });
  const facts = ({ operator, operation, outcome, error }: Record<string, unknown>) => [
    operator,
    operation,
    outcome,
    error,
  ];

  it('says who did what, to which object, with what, and from where', async () => {
    const { id } = await platform.product(seller);
    const body = { decision: 'suspend', note: 'Not yours to sell.' };
    const { headers } = await review(GRACE, id, body);
    const [entry, ...others] = await about(id);
    expect(others).to.deep.equal([]);
    expect(entry).to.deep.include({
      operator: 'grace',
      operation: 'review_product',
      object: { kind: 'product', id: String(id), username: null },
      input: { product_id: id, ...body },
      outcome: 'done',
      error: null,
      address: '127.0.0.1',
      request_id: headers.get('x-request-id'),
    });
    expect(Date.now() - Date.parse(entry.created_at)).to.be.within(-5_000, patience(60_000));
  });

  it('says what was refused too, and nothing of what was only read', async () => {
    const { id } = await platform.product(seller);
    await platform.request('GET /api/v1/admin/products', { key: ADA });
    const { status } = await review(ADA, id, { decision: 'reject' });
    expect(status).to.equal(409);
    await review(GRACE, id, { decision: 'suspend' });
    expect((await about(id)).map(facts)).to.deep.equal([
      ['grace', 'review_product', 'done', null],
      ['ada', 'review_product', 'refused', 'invalid_transition'],
    ]);
    const refused = await list(`object_kind=product&object_id=${id}&outcome=refused`);
    expect(refused.entries.map(facts)).to.deep.equal([
      ['ada', 'review_product', 'refused', 'invalid_transition'],
    ]);
  });

  it('holds what happened, and nothing that was rolled back', async () => {
    const { id } = await platform.product(seller);
    const call = {
      caller: { ...PLATFORM, operator: 'ada' },
      key: 'once',
      now: new Date(),
      requestId: 'test',
    };
    const input = { product_id: id, decision: 'suspend' as const };
    let seen = 0;
    const attempt = perform(platform.context, reviewProduct, input, call, {
      async finish(db) {
        seen = (await db.query('select from audit_log where object_id = $1', [id])).length;
        throw new Error('the last step fails');
      },
    });
    expect(await attempt.catch(({ message }) => message)).to.equal('the last step fails');
    expect(seen).to.equal(1);
    expect(await about(id)).to.deep.equal([]);
  });

  it('keeps no secret that was pasted into a text', async () => {
    const { id } = await platform.product(seller);
    const note = `It shows ${seller.key} and password=swordfish to everybody.`;
    await review(ADA, id, { decision: 'suspend', note });
    const [{ input }] = await about(id);
    expect(input.note).to.equal('It shows [redacted] and password=[redacted] to everybody.');
  });

  it('names who started a job, and leaves out what timers start', async () => {
    const route = 'POST /api/v1/admin/proxy/refresh';
    await platform.request(route, { key: GRACE, headers: { prefer: 'respond-async' } });
    const ofTimers = `select from job where operation = $1 and cause is not null
                         and status = 'complete'`;
    const done = () => platform.query(ofTimers, [refreshProxies.name]) as Promise<object[]>;
    await eventually(done, ({ length }) => length > 0);
    const { entries } = await eventually(
      () => list('object_kind=proxy_sources'),
      ({ count }) => count > 0,
    );
    expect(entries.map(facts)).to.deep.equal([['grace', 'refresh_proxies', 'done', null]]);
    expect(entries[0]).to.deep.include({
      object: { kind: 'proxy_sources', id: null, username: null },
      address: null,
    });
  });

  it('is searched by operator, operation, object and time, page by page', async () => {
    const { id } = await platform.product(seller);
    const decisions = ['suspend', 'approve', 'suspend', 'approve'];
    for (const [n, decision] of decisions.entries()) {
      await review(n % 2 === 0 ? ADA : GRACE, id, { decision });
    }
    const asked = `object_kind=product&object_id=${id}`;
    const decisionsOf = (page: { entries: { input: { decision: string } }[] }) =>
      page.entries.map(({ input }) => input.decision);
    expect(decisionsOf(await list(`${asked}&operator=ada`))).to.deep.equal(['suspend', 'suspend']);
    expect(decisionsOf(await list(`${asked}&operation=decide_dispute`))).to.deep.equal([]);
    const first = await list(`${asked}&limit=3`);
    expect(decisionsOf(first)).to.deep.equal(['approve', 'suspend', 'approve']);
    const rest = await list(`${asked}&limit=3&cursor=${first.next_cursor}`);
    expect([decisionsOf(rest), rest.has_more]).to.deep.equal([['suspend'], false]);
    const [newest, second] = first.entries.map((entry: { created_at: string }) => entry.created_at);
    expect((await list(`${asked}&since=${newest}`)).count).to.equal(1);
    expect((await list(`${asked}&until=${second}`)).count).to.equal(2);
    for (const bad of ['object_id=1', 'since=2026-12-31T23:59:60Z', 'cursor=x']) {
      expect((await list(bad)).error, bad).to.equal('validation_error');
    }
  });
});
