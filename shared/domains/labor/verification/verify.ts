import type { MoneyTx } from '../../ledger/ledger.ts';
import { column, execute, row } from '../../../platform/rows.ts';
import { findClaims, waitsForRule, type ClaimOfUnit } from '../claims.ts';
import { accept, refer, reject } from '../judging.ts';
import { notifyPoster } from '../labor_events.ts';
import { APPEAL_HOURS, GOLD_MIN, NONE_RIGHT_APPEAL_HOURS, VERDICT_MINUTES } from '../labor_task.ts';
import type { LockedLabor } from '../locked_claims.ts';
import { agrees, pluralityOf } from './answers.ts';
import { goldOf, knownAmong } from './records.ts';

/** Minimum share of known answers that has to be right. */
const GOLD_RIGHT_MIN = 0.7;
/** Maximum deliveries of one worker that are judged at once; the rest with its next verdict. */
const JUDGED_MAX = 200;
/** One reason for all rejections by known answers, so that it does not show which unit is known. */
const NOT_RIGHT =
  'By the known answers of this task, this one or too many of your others are not right.';

/**
 * Judges a claim that has just been delivered, if that can be done at once. The claim and the trees
 * that may be paid are locked and, for a consensus, the other claims of its unit.
 */
export async function verify(tx: MoneyTx, task: LockedLabor, claimId: number): Promise<void> {
  const { db } = tx;
  const [claim] = await findClaims(db, 'where c.id = $1', [claimId]);
  if (waitsForRule(claim!, task)) return; // judgeDue
  if (task.verification === 'consensus') await judgeUnit(tx, task, claim!);
  else if (task.verification === 'schema') await accept(tx, task, [claim!], 'schema');
  else await notifyPoster(db, claim!, 'verifying', task);
}

/**
 * Judges deliveries of a task whose time has come, or puts them before the poster: in the order of
 * the claims, which does not show whose answers are known.
 */
export async function judgeDue(
  tx: MoneyTx,
  task: LockedLabor,
  claims: readonly ClaimOfUnit[],
): Promise<void> {
  if (task.verification === 'gold') return judgeByGold(tx, task, claims);
  for (const claim of claims) {
    if (claim.expected !== null) await judgeByAnswer(tx, task, claim, claim.expected);
    else if (task.verification === 'schema') await accept(tx, task, [claim], 'schema');
    else await refer(tx.db, task, [claim]);
  }
}

/** Judges an answer to a unit whose answer is known. */
async function judgeByAnswer(
  tx: MoneyTx,
  task: LockedLabor,
  claim: ClaimOfUnit,
  expected: string,
): Promise<void> {
  if (agrees(task, claim.submission!, expected)) await accept(tx, task, [claim], 'gold');
  else await reject(tx.db, task, [claim], { by: 'gold', reason: NOT_RIGHT });
}

/** Judges what the workers of these deliveries have delivered by their known answers. */
export async function judgeByGold(
  tx: MoneyTx,
  task: LockedLabor,
  claims: readonly ClaimOfUnit[],
): Promise<void> {
  const workers = new Set(claims.map(({ root_id: rootId }) => rootId));
  for (const rootId of workers) await judgeWorker(tx, task, rootId);
}

/**
 * Judges a worker's deliveries whose time has come, all together, so that no verdict before others
 * shows which answers are known. Rejections that are not final yet are taken back if the worker has
 * turned out to be right often enough. Without enough known answers all wait as long as they would
 * for the poster.
 */
async function judgeWorker(tx: MoneyTx, task: LockedLabor, rootId: number): Promise<void> {
  const { db } = tx;
  const found = await findClaims(
    db,
    `where c.root_id = $1 and c.task_id = $2 and c.closed_at is null
       and (c.status = 'verifying' and (c.due_at <= now() or ${HAS_WAITED})
            or c.status = 'rejected' and c.judged_by = 'gold'
               and (u.expected is null or u.voided_at is not null))
     order by u.expected is null, c.id limit ${JUDGED_MAX} for no key update of c`,
    [rootId, task.id],
  );
  const claims = found.toSorted((one, other) => one.id - other.id);
  const waiting = claims.filter(({ status }) => status === 'verifying');
  const known = waiting.filter(({ expected }) => expected !== null);
  const isRight = ({ submission, expected }: ClaimOfUnit) => agrees(task, submission!, expected!);
  const min = Math.min(GOLD_MIN, task.gold);
  const given = { seen: known.length, right: known.filter(isRight).length };
  const { seen, right } = await goldOf(db, task, rootId, { min, given });
  if (seen === 0 || seen < min) return keepWaiting(tx, task, waiting);
  const isGood = right >= GOLD_RIGHT_MIN * seen;
  const isPaid = (claim: ClaimOfUnit) => (claim.expected === null ? isGood : isRight(claim));
  await accept(tx, task, claims.filter(isPaid), 'gold');
  const others = waiting.filter((claim) => !isPaid(claim));
  const isNonsense = right === 0 && seen >= GOLD_MIN;
  const appealHours = isNonsense ? NONE_RIGHT_APPEAL_HOURS : APPEAL_HOURS;
  await reject(db, task, others, { by: 'gold', reason: NOT_RIGHT, appealHours });
}

/** SQL: its time has come before, and there were too few known answers. */
const HAS_WAITED = `c.due_at > c.delivered_at + interval '${VERDICT_MINUTES} minutes'`;

/** Once deliveries have waited long enough, known answers judge theirs, the poster the others. */
async function keepWaiting(
  tx: MoneyTx,
  task: LockedLabor,
  claims: readonly ClaimOfUnit[],
): Promise<void> {
  const { db } = tx;
  const ids = claims.filter((one) => !one.for_poster).map(({ id }) => id);
  await execute(
    db,
    `update labor_claim set due_at = delivered_at + make_interval(hours => $2)
      where id = any ($1)`,
    [ids, task.auto_accept_hours],
  );
  const due = await findClaims(db, 'where c.id = any ($1) and c.due_at <= now() order by c.id', [
    ids,
  ]);
  for (const claim of due) {
    if (claim.expected !== null) await judgeByAnswer(tx, task, claim, claim.expected);
    else await refer(db, task, [claim]);
  }
}

/**
 * Accepts the answer of most workers of a unit; without a majority one more worker is asked. Its
 * poster decides in the end, and where nobody of the majority has a record: all of them may be one.
 */
async function judgeUnit(tx: MoneyTx, task: LockedLabor, claim: ClaimOfUnit): Promise<void> {
  const { db } = tx;
  const delivered = await findClaims(
    db,
    'where c.unit_id = $1 and c.submission is not null order by c.id',
    [claim.unit_id],
  );
  const { wanted } = await row(
    db,
    { wanted: column.int },
    'select wanted from labor_unit where id = $1 for no key update',
    [claim.unit_id],
  );
  if (delivered.length < wanted) return;
  const waiting = delivered.filter(({ status }) => status === 'verifying');
  const plurality = pluralityOf(
    task,
    delivered.map(({ submission }) => submission!),
  );
  if (plurality) {
    const { answer, agree } = plurality;
    const majority = delivered.filter((_, n) => agree[n]!);
    const rootIds = majority.map(({ root_id: rootId }) => rootId);
    const known = await knownAmong(db, { rootIds, posterRoot: task.poster_root });
    if (known.size === 0) return refer(db, task, waiting);
    await execute(db, 'update labor_unit set answer = $2 where id = $1', [claim.unit_id, answer]);
    const isRight = (one: ClaimOfUnit) => majority.includes(one);
    await accept(tx, task, waiting.filter(isRight), 'consensus');
    const reason = 'Most workers have answered this unit differently.';
    const others = waiting.filter((one) => !isRight(one));
    await reject(db, task, others, { by: 'consensus', reason });
  } else if (wanted < task.max_overlap) {
    await execute(
      db,
      `update labor_unit set wanted = wanted + 1, free = free + 1, given_up_at = now()
        where id = $1`,
      [claim.unit_id],
    );
  } else await refer(db, task, waiting);
}
