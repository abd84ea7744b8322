import { OPERATOR_TOKEN } from '../access/scene.ts';
import type { TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { done, type Agent } from '../tasks/board.ts';
import { judge, knownTo, labor, openPool, workThrough, type Pool } from './pool.ts';

const WORK = 5;
const KNOWN = 3;

/** The right answer to a unit, which says its number. */
const truthOf = (payload: string): string => (numberOf(payload) % 2 === 0 ? 'cat' : 'dog');
const numberOf = (payload: string) => Number(payload.split(' ')[1]);
const falsehoodOf = (payload: string) => (truthOf(payload) === 'cat' ? 'dog' : 'cat');

/** How workers answer. Those that lie together agree on what is false. */
const WORKERS = {
  honest: truthOf,
  careless: (payload: string) =>
    numberOf(payload) % 5 < 3 ? truthOf(payload) : falsehoodOf(payload),
  liar: () => 'cow',
  'liar in a ring': falsehoodOf,
} satisfies Record<string, (payload: string) => string>;
type WorkerKind = keyof typeof WORKERS;

/** Posters: the answers they say are known, and their verdicts; undefined: they give none. */
const POSTERS = {
  honest: { known: truthOf, verdict: (isRight: boolean) => isRight },
  'does not judge': { known: truthOf, verdict: () => undefined },
  cheats: { known: falsehoodOf, verdict: () => false },
} satisfies Record<string, Poster>;
interface Poster {
  readonly known: (payload: string) => string;
  readonly verdict: (isRight: boolean) => boolean | undefined;
}

/** The answers of one worker, and those of them that were paid. */
export interface Outcome {
  right: number;
  wrong: number;
  paidRight: number;
  paidWrong: number;
}

export interface Scene {
  readonly verification: 'manual' | 'gold' | 'consensus';
  readonly poster: keyof typeof POSTERS;
  readonly workers: readonly WorkerKind[];
  /** Whether the workers have a record with the poster. */
  readonly isKnown?: boolean;
}

/** A task that has come to its end. */
interface Played {
  readonly outcomes: readonly Outcome[];
  readonly status: string;
  /** Answers that the poster has read and neither was asked about nor has paid for. */
  readonly readUnpaid: number;
}

/**
 * Plays a task to its end: all work through it, the poster judges what it is asked about, workers
 * appeal against each rejection as often as they may, and operators decide by what is right.
 */
export async function play(platform: TestPlatform, scene: Scene): Promise<Played> {
  const poster: Poster = POSTERS[scene.poster];
  const hasKnown = scene.verification === 'gold';
  const units = Array.from({ length: WORK + (hasKnown ? KNOWN : 0) }, (_, n) => {
    const payload = `unit ${n}`;
    return { payload, ...(n >= WORK && { expected: poster.known(payload) }) };
  });
  const pool = await openPool(platform, {
    units,
    verification: scene.verification,
    overlap: scene.workers.length,
    ...(scene.verification === 'consensus' && { max_overlap: scene.workers.length }),
  });
  const agents: Agent[] = [];
  for (const _ of scene.workers) agents.push(await platform.agent());
  if (scene.isKnown) await knownTo(platform, pool, ...agents);
  // Its leases end, and others get what it held.
  const idle = await platform.agent();
  for (let unit = 0; unit < WORK; unit++) {
    await labor(platform, 'take', { taskId: pool.taskId, key: idle.key });
  }
  await fallDue(platform, pool);
  for (const [n, kind] of scene.workers.entries()) {
    await workThrough(platform, pool.taskId, agents[n]!, WORKERS[kind]);
  }
  const read = await readBy(platform, pool);
  await conclude(platform, pool, { poster, agents });
  return {
    outcomes: await Promise.all(agents.map((agent) => outcomeOf(platform, pool, agent))),
    status: (await platform.request(`GET /api/v1/labor/${pool.taskId}`, pool.poster)).body.status,
    readUnpaid: read,
  };
}

/** Lets all be judged, appealed against and decided until nothing changes any more. */
async function conclude(
  platform: TestPlatform,
  pool: Pool,
  { poster, agents }: { poster: Poster; agents: readonly Agent[] },
): Promise<void> {
  for (let round = 0; round < 40; round++) {
    await platform.query(
      `update labor_claim set delivered_at = now() - interval '72 h'
        where task_id = $1 and delivered_at is not null`,
      [pool.taskId],
    );
    await fallDue(platform, pool, 'verifying', 'not for_poster');
    for (const claim of await allClaims(platform, pool.poster, pool.taskId)) {
      if (claim.status !== 'verifying' || claim.submission === null) continue;
      const verdict = poster.verdict(isRight(claim));
      if (verdict === undefined) continue;
      // One that was accepted with another is no more to be judged.
      await judge(platform, pool, claim.claim_id as number, verdict ? 'accept' : 'reject');
    }
    for (const agent of agents) await appealAll(platform, pool, agent);
    await decideAll(platform, pool);
    const open = await allClaims(platform, pool.poster, pool.taskId);
    if (open.every(({ is_final: isFinal }) => isFinal)) return;
    if (open.some(({ status }) => status === 'rejected') && round % 10 < 9) continue;
    await fallDue(platform, pool, 'verifying', 'for_poster');
    await fallDue(platform, pool, 'rejected');
  }
  throw new Error(`labor task ${pool.taskId} does not come to an end`);
}

async function appealAll(platform: TestPlatform, { taskId }: Pool, { key }: Agent): Promise<void> {
  for (const { claim_id, status, is_final: isFinal } of await allClaims(
    platform,
    { key },
    taskId,
  )) {
    if (status !== 'rejected' || isFinal) continue;
    await labor(platform, 'appeal', { taskId, key }, { claim_id, reason: 'It is right.' });
  }
}

async function decideAll(platform: TestPlatform, { poster, taskId }: Pool): Promise<void> {
  for (const claim of await allClaims(platform, poster, taskId)) {
    if (claim.status !== 'appealed') continue;
    done(
      await platform.request(
        `POST /api/v1/admin/disputes/labor/${String(claim.claim_id)}/verdict`,
        {
          key: OPERATOR_TOKEN,
          body: { verdict: isRight(claim) ? 'accept' : 'reject', note: 'By what is right.' },
        },
      ),
    );
  }
}

async function fallDue(
  platform: TestPlatform,
  { taskId }: Pool,
  status = 'claimed',
  also = 'true',
) {
  await platform.query(
    `update labor_claim set due_at = now()
      where task_id = $1 and status = $2 and ${also} and due_at is not null and closed_at is null`,
    [taskId, status],
  );
  await runTimer(platform, 'settle_due_labor');
}

/** The answers that the poster reads before it is asked about any, and that are not paid. */
async function readBy(platform: TestPlatform, { poster, taskId }: Pool): Promise<number> {
  const claims = await allClaims(platform, poster, taskId);
  const asked: { id: number }[] = await platform.query(
    `select distinct (data ->> 'claim_id')::int as id from event
      where agent_id = $1 and type = 'labor.delivered'`,
    [poster.id],
  );
  const mayRead = new Set(asked.map(({ id }) => id));
  return claims.filter(
    ({ submission, status, claim_id: id }) =>
      submission !== null && status !== 'accepted' && !mayRead.has(id as number),
  ).length;
}

type Claim = Record<string, unknown>;

/** All claims of a task that an agent sees, from the newest. */
async function allClaims(
  platform: TestPlatform,
  { key }: { key: string },
  taskId: number,
): Promise<Claim[]> {
  const found: Claim[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = `limit=50${cursor && `&cursor=${cursor}`}`;
    const page = done(
      await platform.request(`GET /api/v1/labor/${taskId}/claims?${query}`, { key }),
    );
    found.push(...page.claims);
    cursor = page.next_cursor;
  }
  return found;
}

const contentOf = (text: unknown) => (text as { content: string }).content;
const isRight = ({ payload, submission }: Claim) =>
  contentOf(submission) === truthOf(contentOf(payload));

async function outcomeOf(platform: TestPlatform, { taskId }: Pool, agent: Agent): Promise<Outcome> {
  const outcome = { right: 0, wrong: 0, paidRight: 0, paidWrong: 0 };
  for (const claim of await allClaims(platform, agent, taskId)) {
    if (claim.submission === null) continue;
    const isPaid = claim.status === 'accepted' ? 1 : 0;
    if (isRight(claim)) {
      outcome.right += 1;
      outcome.paidRight += isPaid;
    } else {
      outcome.wrong += 1;
      outcome.paidWrong += isPaid;
    }
  }
  return outcome;
}
