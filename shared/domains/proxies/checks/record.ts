import { createHash } from 'node:crypto';

import type { EntityManager } from 'typeorm';

import { canonicalOf, kindOf } from '../../../platform/egress/addresses.ts';
import { column, execute, nullable, oneOf, rows, type Row } from '../../../platform/rows.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import type { CheckResult } from '../gateway.ts';
import { UNKNOWN } from '../pool/countries.ts';
import type { Anonymity } from './forwarding.ts';
import { verdictOn } from './judge.ts';
import { qualityOf, withCheck, type LastDay } from './last_day.ts';
import { afterCheck, checkDelayMs, type ProxyHealth, type State, type Verdict } from './states.ts';

interface ProxyCheck {
  readonly id: number;
  readonly result: CheckResult;
}

/** The result of a batch of checks. */
interface Tally {
  readonly checked: number;
  readonly passed: number;
  /** Whether failures were not counted: see OUTAGE. */
  readonly doubted: boolean;
}

/**
 * Minimum proxies that worked before and all fail for our own network to be suspected. They leave
 * the market, because nothing shows that they work, but their failures do not count: they are
 * checked again in a minute, and return if they pass. After half an hour the failures count.
 */
const OUTAGE = 20;
const DOUBT_MINUTES = 30;

const COLUMNS = {
  id: column.id,
  state: oneOf<State>(),
  recent: column.int,
  checks: column.int,
  fails: column.int,
  declared: nullable(column.text),
  https: nullable(column.boolean),
  ever_passed: column.boolean,
  worked: column.boolean,
  checked_at: nullable(column.time),
  day: nullable(column.bytes),
  day_hour: nullable(column.int),
  now: column.time,
};

/** Records the results of checks. Locks the proxies, in the order of their ids. */
export async function record(
  db: EntityManager,
  secrets: Secrets,
  checks: readonly ProxyCheck[],
): Promise<Tally> {
  const byId = new Map(checks.map(({ id, result }) => [id, result]));
  const proxies = await rows(
    db,
    COLUMNS,
    `select id, state, recent, checks, fails, declared, https, passed_at is not null as ever_passed,
            state in ('hot', 'warm') or (state = 'degraded'
              and state_since > now() - interval '${DOUBT_MINUTES} minutes') as worked,
            checked_at, day, day_hour, now() as now
       from proxy where id = any ($1) and state <> 'dead' order by id for update`,
    [[...byId.keys()]],
  );
  const checked = proxies.map((proxy) => {
    const result = byId.get(proxy.id)!;
    const verdict = verdictOn(secrets, result);
    // A check that could not tell leaves what is known.
    const https = (verdict.passed ? verdict.https : undefined) ?? proxy.https ?? undefined;
    const known = verdict.passed && https !== undefined ? { ...verdict, https } : verdict;
    return { proxy, result, verdict: known };
  });
  const passed = checked.filter(({ verdict }) => verdict.passed).length;
  const worked = checked.filter(({ proxy }) => proxy.worked).length;
  if (worked >= OUTAGE && passed === 0) {
    await withhold(
      db,
      proxies.map(({ id }) => id),
    );
    return { checked: 0, passed: 0, doubted: true };
  }
  await write(db, checked.map(outcomeOf));
  return { checked: proxies.length, passed, doubted: false };
}

interface CheckOutcome {
  readonly proxy: Row<typeof COLUMNS>;
  readonly result: CheckResult;
  readonly verdict: Verdict;
}

function outcomeOf({ proxy, result, verdict }: CheckOutcome): Outcome {
  const { id, state, recent, checks, fails, day, day_hour: hour, checked_at: checkedAt } = proxy;
  const before = { state, recent, checks, fails, everPassed: proxy.ever_passed };
  const lastDay = withCheck(day && hour !== null ? { hours: day, hour } : undefined, {
    at: proxy.now,
    passed: verdict.passed,
    ...(checkedAt && { since: { at: checkedAt, passed: fails === 0 } }),
  });
  return {
    id,
    after: afterCheck(before, verdict),
    lastDay,
    ...(verdict.passed && exitOf(result, proxy.declared)),
  };
}

interface Outcome {
  readonly id: number;
  readonly after: ProxyHealth;
  readonly lastDay: LastDay;
  /** The latency, of a proxy that passed. */
  readonly latencyMs?: number;
  readonly address?: string;
  /** A number for its public exit. */
  readonly exitKey?: number | undefined;
  readonly https?: boolean | undefined;
  readonly country?: string;
  readonly city?: string | undefined;
  readonly asn?: number | undefined;
  readonly anonymity?: Anonymity;
}

/** The exit of a proxy. The country that a source declares counts only for private addresses. */
function exitOf(result: CheckResult, declared: string | null) {
  if (!result.answered) return {};
  const { latencyMs, address, anonymity, https } = result;
  const isPublic = kindOf(address) === 'public';
  const { country, city, asn } = isPublic ? result : { country: declared };
  const exitKey = isPublic ? exitKeyOf(address) : undefined;
  const place = { country: country ?? UNKNOWN, city, asn };
  return { latencyMs, address, exitKey, ...place, anonymity, https };
}

/** Many proxies may lead to one address; two addresses hardly ever have one number. */
const exitKeyOf = (address: string): number =>
  createHash('sha256').update(canonicalOf(address)).digest().readUIntBE(0, 6);

async function write(db: EntityManager, outcomes: readonly Outcome[]): Promise<void> {
  await execute(
    db,
    `update proxy p set
            state = n.state, recent = n.recent, checks = n.checks, fails = n.fails,
            state_since = case when p.state = n.state then p.state_since else now() end,
            latency_ms = coalesce(n.latency_ms, p.latency_ms),
            exit_address = coalesce(n.address::inet, p.exit_address),
            https = coalesce(n.https, p.https),
            exit_key = case when n.address is null then p.exit_key else n.exit_key end,
            country_code = coalesce(n.country, p.country_code),
            -- null if the databases do not know the exit
            city = case when n.address is null then p.city else n.city end,
            asn = case when n.address is null then p.asn else n.asn end,
            anonymity = coalesce(n.anonymity, p.anonymity),
            day = n.day, day_hour = n.day_hour,
            success_rate = n.success_rate, uptime = n.uptime,
            checked_at = now(),
            passed_at = case when n.fails = 0 then now() else p.passed_at end,
            -- a tenth earlier or later, or all would stay due at the same time
            next_check_at = case when n.delay_ms is null then 'infinity'
              else now() + n.delay_ms * (0.9 + random() * 0.2) * interval '1 ms' end,
            position = case when p.state in ('hot', 'warm') then p.position
                            else floor(random() * 2147483647)::int end
       from unnest($1::bigint[], $2::text[], $3::int[], $4::smallint[], $5::smallint[],
                   $6::float8[], $7::int[], $8::text[], $9::text[], $10::text[], $11::bigint[],
                   $12::text[], $13::bytea[], $14::int[], $15::real[], $16::real[], $17::bigint[],
                   $18::boolean[])
            as n(id, state, recent, checks, fails, delay_ms, latency_ms, address, country, city,
                 asn, anonymity, day, day_hour, success_rate, uptime, exit_key, https)
      where p.id = n.id`,
    [
      outcomes.map(({ id }) => id),
      outcomes.map(({ after }) => after.state),
      outcomes.map(({ after }) => after.recent),
      outcomes.map(({ after }) => after.checks),
      outcomes.map(({ after }) => after.fails),
      outcomes.map(({ after }) => checkDelayMs(after) ?? null),
      outcomes.map(({ latencyMs }) => latencyMs ?? null),
      outcomes.map(({ address }) => address ?? null),
      outcomes.map(({ country }) => country ?? null),
      outcomes.map(({ city }) => city ?? null),
      outcomes.map(({ asn }) => asn ?? null),
      outcomes.map(({ anonymity }) => anonymity ?? null),
      outcomes.map(({ lastDay }) => lastDay.hours),
      outcomes.map(({ lastDay }) => lastDay.hour),
      outcomes.map(({ lastDay }) => qualityOf(lastDay).successRate),
      outcomes.map(({ lastDay }) => qualityOf(lastDay).uptime ?? null),
      outcomes.map(({ exitKey }) => exitKey ?? null),
      outcomes.map(({ https }) => https ?? null),
    ],
  );
}

/** Takes proxies off the market until they pass. */
async function withhold(db: EntityManager, ids: readonly number[]): Promise<void> {
  await execute(
    db,
    `update proxy set next_check_at = now() + interval '1 minute',
            state = case when state in ('hot', 'warm') then 'degraded' else state end,
            state_since = case when state in ('hot', 'warm') then now() else state_since end
      where id = any ($1)`,
    [ids],
  );
}
