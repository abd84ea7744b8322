import type { EntityManager } from 'typeorm';

import { kindOf } from '../../platform/addresses.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { UNKNOWN } from '../pool/countries.ts';
import type { Finding } from '../gateway.ts';
import { verdictOn } from './judge.ts';
import { afterCheck, isOnSale, restOf, type Standing, type State } from './states.ts';

export interface Found {
  readonly id: number;
  readonly finding: Finding;
}

/** What a batch of checks came to. */
export interface Tally {
  readonly checked: number;
  readonly passed: number;
  /** Nothing was recorded: see OUTAGE. */
  readonly doubted: boolean;
}

/**
 * When so many proxies that worked are checked and not one passes, then it is not they that have
 * failed but our own way out. They are checked again in a minute; what stays unproven leaves the
 * market by its age.
 */
const OUTAGE = 20;

/** Writes down what checks found. Locks the proxies, in the order of their ids. */
export async function record(
  db: EntityManager,
  secrets: Secrets,
  found: readonly Found[],
): Promise<Tally> {
  const byId = new Map(found.map(({ id, finding }) => [id, finding]));
  const rows: Row[] = await db.query(
    `select id, state, recent, checks, fails, declared, passed_at is not null as ever_passed
       from proxy where id = any ($1) and state <> 'dead' order by id for update`,
    [[...byId.keys()]],
  );
  const checked = rows.map((row) => {
    const finding = byId.get(row.id)!;
    return { row, finding, verdict: verdictOn(secrets, finding) };
  });
  const passed = checked.filter(({ verdict }) => verdict.passed).length;
  const worked = checked.filter(({ row }) => isOnSale(row.state)).length;
  if (worked >= OUTAGE && passed === 0) {
    await checkAgainSoon(
      db,
      rows.map(({ id }) => id),
    );
    return { checked: 0, passed: 0, doubted: true };
  }
  await write(
    db,
    checked.map(({ row, finding, verdict }) => {
      const after = afterCheck(childJobCounts(row), verdict);
      return { id: row.id, after, ...(verdict.passed && whereabouts(finding, row.declared)) };
    }),
  );
  return { checked: rows.length, passed, doubted: false };
}

interface Row {
  readonly id: number;
  readonly state: State;
  readonly recent: number;
  readonly checks: number;
  readonly fails: number;
  readonly declared: string | null;
  readonly ever_passed: boolean;
}

const childJobCounts = ({ ever_passed: everPassed, ...row }: Row): Standing => ({
  ...row,
  everPassed,
});

interface Outcome {
  readonly id: number;
  readonly after: Standing;
  /** Of those that passed. */
  readonly latencyMs?: number;
  readonly address?: string;
  readonly country?: string;
}

/** What a source says of the country counts only where no database could know better. */
function whereabouts(finding: Finding, declared: string | null) {
  if (!finding.answered) return {};
  const { latencyMs, address } = finding;
  const known = kindOf(address) === 'public' ? finding.country : declared;
  return { latencyMs, address, country: known ?? UNKNOWN };
}

async function write(db: EntityManager, outcomes: readonly Outcome[]): Promise<void> {
  await db.query(
    `update proxy p set
            state = n.state, recent = n.recent, checks = n.checks, fails = n.fails,
            state_since = case when p.state = n.state then p.state_since else now() end,
            latency_ms = coalesce(n.latency_ms, p.latency_ms),
            exit_address = coalesce(n.address::inet, p.exit_address),
            country_code = coalesce(n.country, p.country_code),
            checked_at = now(),
            passed_at = case when n.fails = 0 then now() else p.passed_at end,
            -- a tenth earlier or later, or all would come at once for ever
            next_check_at = case when n.rest_ms is null then 'infinity'
              else now() + n.rest_ms * (0.9 + random() * 0.2) * interval '1 ms' end,
            sort_key = case when p.state in ('hot', 'warm') then p.sort_key
                            else floor(random() * 2147483647)::int end
       from unnest($1::int[], $2::text[], $3::int[], $4::smallint[], $5::smallint[],
                   $6::float8[], $7::int[], $8::text[], $9::text[])
            as n(id, state, recent, checks, fails, rest_ms, latency_ms, address, country)
      where p.id = n.id`,
    [
      outcomes.map(({ id }) => id),
      outcomes.map(({ after }) => after.state),
      outcomes.map(({ after }) => after.recent),
      outcomes.map(({ after }) => after.checks),
      outcomes.map(({ after }) => after.fails),
      outcomes.map(({ after }) => restOf(after) ?? null),
      outcomes.map(({ latencyMs }) => latencyMs ?? null),
      outcomes.map(({ address }) => address ?? null),
      outcomes.map(({ country }) => country ?? null),
    ],
  );
}

async function checkAgainSoon(db: EntityManager, ids: readonly number[]): Promise<void> {
  await db.query(
    `update proxy set next_check_at = now() + interval '1 minute' where id = any ($1)`,
    [ids],
  );
}
