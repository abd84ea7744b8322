import { expect } from 'chai';

import { Refusal } from '../../shared/kernel/refusal.ts';
import { openRequestLog, type RequestLog } from '../../shared/domains/requests/request_log.ts';
import type { RequestRow } from '../../shared/domains/requests/request_row.ts';
import { TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { costsOf, requestsOf } from './logged.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

/** Rows of a burst of successes, and as many of errors (docs/owners.md). */
const RESERVE = 300;
/** Rows that sum up what is beyond, in a minute. */
const SUMS_MAX = 32;
const DAY_MS = 86_400_000;

describe('the log of requests', () => {
  let platform: TestPlatform;
  let agent: Agent;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());
  beforeEach(async () => {
    agent = await platform.agent();
  });

  const open = (
    database: Pick<TestPlatform, 'query'> = platform.context.database,
    bodyOf = () => 'x'.repeat(5_000),
  ) => openRequestLog({ database, log: platform.context.log, bodyOf, days: 7 });

  /** A log whose database is away until `comeBack` is called. */
  function away() {
    let isAway = true;
    const query = (sql: string, parameters?: unknown[]) =>
      isAway ? Promise.reject(new Error('away')) : platform.query(sql, parameters);
    return { log: open({ query }), comeBack: () => void (isAway = false) };
  }

  const expectNothingWritten = (log: RequestLog) =>
    log.write().then(
      () => expect.fail('it was written'),
      () => undefined,
    );

  const callOf = (changes: Partial<RequestRow> = {}): RequestRow => ({
    agentId: agent.id,
    rootId: agent.id,
    interface: 'rest',
    operation: 'get_wallet',
    status: 200,
    code: null,
    at: Date.now(),
    ms: 2,
    cost: 1_000n,
    calls: 1,
    requestId: 'req_test',
    jobId: null,
    error: null,
    ...changes,
  });

  const rowsOf = (): Promise<{ calls: number; answer: string | null; at: Date }[]> =>
    platform.query('select calls, answer, at from request where root_id = $1 order by id', [
      agent.id,
    ]);

  it('keeps each call of a burst, and sums up what is beyond without losing count', async () => {
    const log = open();
    // All of one moment, so that nothing is renewed.
    const at = Date.now();
    for (let n = 0; n < 1_000; n += 1) log.note(callOf({ at }));
    await log.close();
    const rows = await rowsOf();
    expect(rows).to.have.length(RESERVE + 1);
    expect(rows.filter(({ calls }) => calls === 1)).to.have.length(RESERVE);
    const costs = await costsOf(platform, agent);
    expect(costs).to.include({ calls: 1_000, errors: 0, cost: 1 });
    const [sum] = await requestsOf(platform, agent, { operation: 'get_wallet' });
    expect(sum).to.include({
      calls: 700,
      cost: 0.7,
      ms: 2,
      request_id: null,
      operation: 'get_wallet',
    });
  });

  it('keeps errors apart: very many successes take no row of theirs', async () => {
    const log = open();
    const at = Date.now();
    for (let n = 0; n < 1_000; n += 1) log.note(callOf({ at }));
    const error = new Refusal('not_found', 'It is not there.');
    log.note(callOf({ at, status: 404, code: 'not_found', error }));
    await log.close();
    const [found, ...others] = await requestsOf(platform, agent, { status: 'error' });
    expect(others).to.deep.equal([]);
    expect(found).to.include({ calls: 1, error: 'not_found', request_id: 'req_test' });
  });

  it('is filled by one tree to a bound, whatever it calls, and others lose nothing', async () => {
    const log = open();
    const other = await platform.agent();
    const at = Date.now();
    for (let n = 0; n < 20_000; n += 1) {
      const status = n % 2 === 0 ? 200 : 404;
      log.note(callOf({ at, status, operation: `operation_${n % 500}`, cost: null }));
    }
    log.note(callOf({ at, agentId: other.id, rootId: other.id }));
    await log.close();
    const rows = await rowsOf();
    expect(rows.length).to.be.within(2 * RESERVE, 2 * RESERVE + SUMS_MAX);
    expect(await costsOf(platform, agent)).to.include({ calls: 20_000, errors: 10_000 });
    const many = await requestsOf(platform, agent, { status: '2xx' });
    expect(many.find(({ operation }) => operation === null)).to.include({ status: 200 });
    expect(await requestsOf(platform, other)).to.have.length(1);
  });

  it('has rows of their own again for later calls', async () => {
    const log = open();
    const at = Date.now() - 10 * 60_000;
    for (let n = 0; n < 400; n += 1) log.note(callOf({ at }));
    for (let n = 0; n < 50; n += 1) log.note(callOf({ at: at + 3 * 60_000 }));
    await log.close();
    // Ten a minute.
    const later = (await rowsOf()).filter(({ at: time, calls }) => +time > at && calls === 1);
    expect(later).to.have.length(30);
  });

  it('keeps the beginning of a long answer', async () => {
    const log = open();
    const error = new Refusal('not_found', 'It is not there.');
    log.note(callOf({ status: 404, error }));
    log.note(callOf({ status: 404, error: `${'y'.repeat(1_999)}\u{1f600}` }));
    await log.close();
    const lengths = (await rowsOf()).map(({ answer }) => answer?.length);
    expect(lengths).to.deep.equal([2_000, 1_999]);
  });

  it('waits for a database that is away', async () => {
    const { log, comeBack } = away();
    for (let n = 0; n < 3; n += 1) log.note(callOf());
    await expectNothingWritten(log);
    comeBack();
    await log.close();
    expect(await rowsOf()).to.have.length(3);
  });

  it('drops the oldest beyond a bound while the database is away', async () => {
    const { log, comeBack } = away();
    // Trees of their own, so that none is summed up.
    for (let n = 0; n < 12_000; n += 1) {
      log.note(callOf({ rootId: 1_000_000 + n, requestId: `req_${n}` }));
    }
    await expectNothingWritten(log);
    comeBack();
    await log.close();
    const [{ count, first, last }] = await platform.query(
      `select count(*)::int as count, min(substr(request_id, 5)::int) as first,
              max(substr(request_id, 5)::int) as last
         from request where agent_id = $1`,
      [agent.id],
    );
    expect(count).to.be.within(9_000, 10_000);
    expect([first, last]).to.deep.equal([12_000 - count, 11_999]);
  });

  it('goes on after rows that the database refuses', async () => {
    const log = open();
    for (let n = 0; n < 2; n += 1) log.note(callOf({ code: 'a\u0000b' }));
    await log.write();
    log.note(callOf());
    await log.close();
    expect(await rowsOf()).to.have.length(1);
  });

  it('takes nothing after it was closed', async () => {
    const log = open();
    await log.close();
    log.note(callOf());
    await log.write();
    expect(await rowsOf()).to.deep.equal([]);
  });

  it('shows nothing that is older than seven days, and empties what is older', async () => {
    const log = open();
    const ages = [0, 1, 3, 5, 6.9, 7.1];
    for (const days of ages) log.note(callOf({ at: Date.now() - days * DAY_MS }));
    await log.close();
    expect(await requestsOf(platform, agent)).to.have.length(ages.length - 1);
    const since = new Date(Date.now() - 30 * DAY_MS).toISOString();
    expect(await requestsOf(platform, agent, { since })).to.have.length(ages.length - 1);
    const { parts } = await costsOf(platform, agent, { since });
    const shown = parts.find((part: { operation: string }) => part.operation === 'get_wallet');
    expect(shown).to.include({ calls: ages.length - 1 });
    await runTimer(platform, 'forget_requests');
    const kept = (await rowsOf()).map(
      ({ at }) => Math.round(((Date.now() - +at) / DAY_MS) * 10) / 10,
    );
    expect(kept).to.include.members(ages.slice(0, -1));

    // A period of two days in which no row is as young: its partition is emptied.
    const old = Math.floor((Date.now() - 7 * DAY_MS) / (2 * DAY_MS)) * 2 * DAY_MS - 1;
    const again = open();
    again.note(callOf({ at: old }));
    await again.close();
    const before = await rowsOf();
    await runTimer(platform, 'forget_requests');
    expect(await rowsOf()).to.have.length(before.length - 1);
    expect((await rowsOf()).some(({ at }) => +at === old)).to.equal(false);
  });
});
