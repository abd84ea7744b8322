import { execute, oneOf, rows, type Database } from '../../platform/rows.ts';

export const DIGEST_PERIODS = ['day', 'week'] as const;
export type DigestPeriod = (typeof DIGEST_PERIODS)[number];

const DAY_MS = 86_400_000;
/** UTC. The sums of the day before are complete then. */
const HOUR = 6;
const MONDAY = 1;

/** The next time at which a summary is due, after a time: each day, or each Monday. */
export function nextDigestAt(every: DigestPeriod, after: Date): Date {
  const at = new Date(after);
  at.setUTCHours(HOUR, 0, 0, 0);
  while (at <= after || (every === 'week' && at.getUTCDay() !== MONDAY)) {
    at.setTime(at.getTime() + DAY_MS);
  }
  return at;
}

/** How often an owner is mailed a summary; undefined: never. */
export async function digestOf(db: Database, agentId: number): Promise<DigestPeriod | undefined> {
  const sql = 'select every from digest where agent_id = $1';
  const [found] = await rows(db, { every: oneOf<DigestPeriod>() }, sql, [agentId]);
  return found?.every;
}

/** Chooses how often. The time of the next one stays where nothing changes. */
export async function chooseDigest(
  db: Database,
  agentId: number,
  { every, now }: { every: DigestPeriod | undefined; now: Date },
): Promise<void> {
  if (every === undefined) {
    await execute(db, 'delete from digest where agent_id = $1', [agentId]);
    return;
  }
  await execute(
    db,
    `insert into digest as known (agent_id, every, next_at) values ($1, $2, $3)
     on conflict (agent_id) do update set every = $2, next_at = $3 where known.every <> $2`,
    [agentId, every, nextDigestAt(every, now)],
  );
}
