import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { clearRedis } from '../faults/market.ts';
import { eventually, TestPlatform } from '../harness.ts';
import type { NameServer } from '../name_server.ts';
import { holdMail } from './held_mail.ts';
import { startZone } from './zone.ts';
import { setPolicy } from '../policy.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('a call of validate_email', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let names: NameServer;
  before(async () => {
    names = await startZone({
      'mail.example': { MX: ['mx.mail.example'] },
      'silent.example': 'no answer',
    });
    platform = await TestPlatform.open({ env: { DNS_SERVERS: names.address } });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await names.close();
  });

  const ask = (agent: { key?: string }, email: string, headers: Record<string, string> = {}) =>
    platform.request(`GET /api/v1/email/validate/${email}`, { key: agent.key, headers });
  const limit = (agent: Agent, column: string, value: unknown) =>
    setPolicy(platform, agent, { [column]: value });

  it('charges a key once, and answers the same bytes again', async () => {
    const agent = await platform.agent();
    const headers = { 'idempotency-key': randomUUID() };
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => ask(agent, 'ada@mail.example', headers)),
    );
    expect(new Set(replies.map(({ text }) => text)).size).to.equal(1);
    const again = await ask(agent, 'ada@mail.example', headers);
    expect(again.text).to.equal(replies[0]!.text);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(await platform.balance(agent)).to.equal(0.498);
    const other = await ask(agent, 'bob@mail.example', headers);
    expect(other.body.error).to.equal('idempotency_conflict');
  });

  it('is not made by HEAD', async () => {
    const agent = await platform.agent();
    const headers = { authorization: `Bearer ${agent.key}` };
    const url = `${platform.url}/api/v1/email/validate/ada@mail.example`;
    expect((await fetch(url, { method: 'HEAD', headers })).status).to.equal(405);
    expect(await platform.balance(agent)).to.equal(0.5);
    const [{ n }] = await platform.query(
      `select count(*)::int as n from job where agent_id = $1 and operation = 'validate_email'`,
      [agent.id],
    );
    expect(n).to.equal(0);
  });

  it('may be answered later', async () => {
    const agent = await platform.agent();
    const { status, body } = await ask(agent, 'ada@mail.example', { prefer: 'respond-async' });
    expect([status, body.status]).to.deep.equal([202, 'pending']);
    const done = await platform.request(`GET ${body.poll}?wait=20`, agent);
    expect(done.body.result).to.include({ status: 'deliverable', charged: 0.002 });
  });

  it('is a tool', async () => {
    const agent = await platform.agent();
    const { body } = await platform.request('POST /api/v1/mcp/call', {
      key: agent.key,
      body: { tool: 'validate_email', params: { email: 'ada@mail.example' } },
    });
    expect(body.structuredContent).to.include({ valid: true, score: 0.8, charged: 0.002 });
    expect(await platform.balance(agent)).to.equal(0.498);
  });

  it('does not wait for another whose name server does not answer, which costs nothing', async () => {
    const agent = await platform.agent();
    const held = holdMail(platform, 'silent.example');
    const silent = Array.from({ length: 5 }, (_, n) =>
      ask(agent, `s${n}@silent.example`, { prefer: 'wait=25' }),
    );
    await eventually(
      async () => held.count,
      (count) => count === 5,
    );
    const others = await Promise.all(
      Array.from({ length: 50 }, (_, n) => ask(agent, `n${n}@mail.example`)),
    );
    for (const { body } of others) expect(body.sub_status).to.equal('domain_accepts_mail');
    held.release();
    for (const { body } of await Promise.all(silent)) {
      expect(body).to.include({ status: 'unknown', sub_status: 'dns_time_out', charged: 0 });
    }
    expect(await platform.balance(agent)).to.equal(0.4);
  });

  it('is not started a second time while it is in flight because Redis lost everything', async () => {
    const agent = await platform.agent();
    const { redis } = platform.context.queue;
    const held = holdMail(platform);
    const { body } = await ask(agent, 'eve@mail.example', { prefer: 'respond-async' });
    await eventually(
      async () => held.count,
      (count) => count > 0,
    );
    // When the second loss is noticed, the recovery from the first is over.
    for (let times = 0; times < 2; times += 1) {
      await clearRedis(platform);
      await eventually(() => redis.exists(`${platform.prefix}:epoch`), Boolean);
    }
    const row = () =>
      platform.query('select status, run_at, attempts from job where id = $1', [body.job_id]);
    expect(await row()).to.deep.equal([{ status: 'pending', run_at: null, attempts: 0 }]);
    held.release();
    const [done] = await eventually(row, ([job]) => job.status !== 'pending');
    expect(done).to.deep.equal({ status: 'complete', run_at: null, attempts: 0 });
  });

  it('validates 25 of 100 simultaneous addresses where the money is for 25', async () => {
    const agent = await platform.agent();
    await setPolicy(platform, agent, { daily_spend_limit: 50000 });
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, n) => ask(agent, `n${n}@mail.example`)),
    );
    const answers = replies.map(({ status, body }) => (status === 200 ? body.status : body.error));
    expect(answers.filter((word) => word === 'deliverable')).to.have.length(25);
    expect(answers.filter((word) => word === 'daily_limit_exceeded')).to.have.length(75);
    expect(await platform.balance(agent)).to.equal(0.45);
  });

  describe('refuses before any look-up, with the wallet unchanged', () => {
    for (const [code, expected, column, value] of [
      ['product_type_not_allowed', 403, 'allowed_product_types', ['proxy_service']],
      ['tx_limit_exceeded', 402, 'max_spend_per_tx', 1_999],
      ['daily_limit_exceeded', 402, 'daily_spend_limit', 1_999],
    ] as const) {
      it(`${code}`, async () => {
        const agent = await platform.agent();
        await limit(agent, column, value);
        const email = `ada@${randomUUID()}.example`;
        const { status, body } = await ask(agent, email);
        expect([status, body.error]).to.deep.equal([expected, code]);
        expect(body.details.policy_trace.policy_of).to.equal(agent.id);
        expect(await platform.balance(agent)).to.equal(0.5);
        expect(names.asked.join()).not.to.include(email.slice(4));
      });
    }

    it('insufficient_balance', async () => {
      const agent = await platform.agent();
      const seller = await platform.agent();
      const goods = { stock_kind: 'unlimited', content: 'It.', price: 0.453 };
      const product = await platform.product(seller, goods);
      await platform.request('POST /api/v1/orders', {
        key: agent.key,
        body: { product_id: product.id },
      });
      const { status, body } = await ask(agent, 'ada@mail.example');
      expect([status, body.error]).to.deep.equal([402, 'insufficient_balance']);
      expect(body.details).to.include({ required: 0.002, balance: 0.0017 });
    });

    it('authentication_required', async () => {
      const { status, body } = await ask({}, 'ada@mail.example');
      expect([status, body.error]).to.deep.equal([401, 'authentication_required']);
    });
  });
});
