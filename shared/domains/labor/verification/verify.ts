import type { MoneyTx } from '../../ledger/ledger.ts';
import { column, execute, row } from '../../../platform/rows.ts';
import { recordGold } from './accuracy.ts';
import { agrees, pluralityOf } from './answers.ts';
import { findClaims, type ClaimOfUnit } from '../claims.ts';
import { accept, reject } from '../judging.ts';
import { notifyPoster } from '../labor_events.ts';
import type { LockedLabor } from '../locked_claims.ts';

/** Minimum gold units of a task that a worker has answered before its other work is judged. */
const GOLD_MIN = 3;
/** Minimum share of them that has to be right. */
const GOLD_RIGHT_MIN = 0.7;
/** Maximum deliveries of one worker that are judged at once; the rest with its next delivery. */
const JUDGED_MAX = 200;

/**
 * Judges a claim that has just been delivered, if that can be done without its poster. The claim
 * and the trees that may be paid are locked and, for a consensus, the other claims of its unit.
 */
export async function verify(tx: MoneyTx, task: LockedLabor, claimId: number): Promise<void> {
  const { db } = tx;
  const [claim] = await findClaims(db, 'where c.id = $1', [claimId]);
  if (claim!.expected !== null) await judgeByAnswer(tx, task, claim!, claim!.expected);
  else if (task.verification === 'consensus') await judgeUnit(tx, task, claim!);
  else if (task.verification === 'schema') await accept(tx, task, [claim!], 'schema');
  if (task.verification === 'gold') await judgeByGold(tx, task, claim!);
  if (task.verification === 'manual' && claim!.expected === null) {
    await notifyPoster(db, claim!, 'verifying', task);
  }
}

/** Judges an answer to a gold unit, whose answer is known. */
async function judgeByAnswer(
  tx: MoneyTx,
  task: LockedLabor,
  claim: ClaimOfUnit,
  expected: string,
): Promise<void> {
  const { db } = tx;
  const isRight = agrees(task, claim.submission!, expected);
  await recordGold(db, { taskId: task.id, rootId: claim.root_id, isRight });
  if (isRight) await accept(tx, task, [claim], 'gold');
  else {
    const reason = 'The known answer to this unit is different.';
    await reject(db, task, [claim], { by: 'gold', reason });
  }
}

/** Judges a worker's other deliveries of this task by its answers to gold units. */
async function judgeByGold(
  tx: MoneyTx,
  task: LockedLabor,
  { root_id }: ClaimOfUnit,
): Promise<void> {
  const { db } = tx;
  const { seen, right, gold } = await row(
    db,
    { seen: column.int, right: column.int, gold: column.int },
    `select gold_seen as seen, gold_right as right,
            (select count(*)::int from (select from labor_unit where task_id = $1
                and expected is not null limit ${GOLD_MIN}) gold) as gold
       from labor_worker where task_id = $1 and root_id = $2`,
    [task.id, root_id],
  );
  if (seen < gold) return;
  const waiting = await findClaims(
    db,
    `where c.root_id = $1 and c.task_id = $2 and c.status = 'verifying'
       and c.closed_at is null and u.expected is null
     order by c.id limit ${JUDGED_MAX} for no key update of c`,
    [root_id, task.id],
  );
  if (right >= GOLD_RIGHT_MIN * seen) await accept(tx, task, waiting, 'gold');
  else {
    const reason = `${right} of ${seen} gold units were answered correctly.`;
    await reject(db, task, waiting, { by: 'gold', reason });
  }
}

/** Accepts the answer of most workers of a unit; without a majority one more worker is asked. */
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
    await execute(db, 'update labor_unit set answer = $2 where id = $1', [claim.unit_id, answer]);
    const isRight = (one: ClaimOfUnit) => agree[delivered.indexOf(one)]!;
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
  } else {
    await execute(db, 'update labor_claim set for_poster = true where id = any ($1)', [
      waiting.map(({ id }) => id),
    ]);
    for (const one of waiting) await notifyPoster(db, one, 'verifying', task);
  }
}
