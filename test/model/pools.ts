import { isKnown, recordWith } from './labor_records.ts';
import {
  GOLD_MIN,
  claimsOf,
  expectedOf,
  goesOn,
  goldIn,
  hasLapsed,
  isWork,
  waitsForRule,
  type Claim,
  type Pool,
  type Unit,
} from './labor_units.ts';
import { take as pay, type Member } from './work.ts';

export function begin(unit: Unit, worker: Member, id: number): void {
  const fresh = {
    judgedBy: undefined,
    answer: undefined,
    isAppealed: false,
    isForPoster: false,
    isDue: false,
  };
  unit.claims.push({ id, unit, worker, status: 'claimed', ...fresh, isClosed: false });
  unit.free -= 1;
}

/** Others may take the unit of this claim. */
export function giveUp(claim: Claim, status: 'released' | 'expired'): void {
  Object.assign(claim, { status, isClosed: true });
  claim.unit.free += 1;
}

export function endLeases(pool: Pool): void {
  for (const claim of claimsOf(pool)) {
    if (hasLapsed(claim)) giveUp(claim, 'expired');
  }
}

function note(pool: Pool, claim: Claim, isRight: boolean): void {
  const record = recordWith(claim.worker, pool.poster);
  const isFirst = claim.judgedBy === undefined;
  const isGold = expectedOf(claim.unit) !== undefined;
  if (isFirst) record.judged += 1;
  if (isFirst && isGold) record.goldSeen += 1;
  if (isRight) record.accepted += 1;
  if (isRight && isGold) record.goldRight += 1;
}

function accept(pool: Pool, claim: Claim, judgedBy: string): void {
  const { credit, cash } = pay(pool.held, pool.reward);
  claim.worker.credit += credit;
  claim.worker.cash += cash;
  if (judgedBy !== 'schema' && judgedBy !== 'timeout') note(pool, claim, true);
  Object.assign(claim, { status: 'accepted', judgedBy, isClosed: true });
}

function reject(pool: Pool, claim: Claim, judgedBy: string): void {
  if (claim.judgedBy === undefined) note(pool, claim, false);
  Object.assign(claim, { status: 'rejected', judgedBy, isDue: false });
  if (claim.isAppealed) endRejected(pool, claim);
}

function endRejected({ verification }: Pool, claim: Claim): void {
  claim.isClosed = true;
  const isGold = expectedOf(claim.unit) !== undefined;
  if (isGold || verification !== 'consensus') claim.unit.free += 1;
}

const refer = (claim: Claim) => Object.assign(claim, { isForPoster: true, isDue: false });

function judge(pool: Pool, claim: Claim, { by, isRight }: { by: string; isRight: boolean }) {
  if (isRight) accept(pool, claim, by);
  else reject(pool, claim, by);
}

/** Claims that wait for the poster, or that it may give in to. */
export const waitsForPoster = ({ status, isForPoster }: Claim, isRight: boolean) =>
  (status === 'verifying' && isForPoster) || (status === 'appealed' && isRight);

/** The poster judges, and accepts the same answers of others with this one. */
export function judgeByPoster(pool: Pool, claim: Claim, isRight: boolean): void {
  const same = claim.unit.claims.filter(
    (one) =>
      one !== claim &&
      one.answer === claim.answer &&
      (waitsForPoster(one, true) ||
        (one.status === 'rejected' && one.judgedBy === 'poster' && !one.isClosed)),
  );
  judge(pool, claim, { by: 'poster', isRight });
  if (isRight) for (const one of same) accept(pool, one, 'poster');
}

export function decide(pool: Pool, claim: Claim, isRight: boolean): void {
  recordWith(claim.worker, pool.poster)[isRight ? 'won' : 'lost'] += 1;
  const isByGold = claim.judgedBy === 'gold' && expectedOf(claim.unit) !== undefined;
  judge(pool, claim, { by: 'operator', isRight });
  if (!isRight || !isByGold) return;
  const misjudged = claim.unit.claims.filter(
    ({ status, isClosed }) => !isClosed && (status === 'verifying' || status === 'rejected'),
  );
  for (const one of misjudged) accept(pool, one, 'operator');
  claim.unit.isVoid = true;
  claim.unit.free = 0;
  if (pool.verification !== 'gold') return;
  for (const worker of new Set(misjudged.map((one) => one.worker))) judgeByGold(pool, worker);
}

export function deliver(pool: Pool, claim: Claim, answer: string): void {
  const { verification } = pool;
  Object.assign(claim, { status: 'verifying', answer, isDue: false });
  if (waitsForRule(pool, claim.unit)) return;
  if (verification === 'consensus') judgeUnit(pool, claim.unit);
  else if (verification === 'schema') accept(pool, claim, 'schema');
  else refer(claim);
}

/** The most frequent answer to a unit is right, if two or more say it and no other is as often. */
function judgeUnit(pool: Pool, unit: Unit): void {
  const delivered = unit.claims.filter(({ answer }) => answer !== undefined);
  if (delivered.length < unit.wanted) return;
  const votes = new Map<string, number>();
  for (const { answer } of delivered) votes.set(answer!, (votes.get(answer!) ?? 0) + 1);
  const most = Math.max(...votes.values());
  const winners = [...votes].filter(([, count]) => count === most);
  if (most > 1 && winners.length === 1) {
    const majority = delivered.filter(({ answer }) => answer === winners[0]![0]);
    const waiting = delivered.filter(({ status }) => status === 'verifying');
    if (!majority.some(({ worker }) => isKnown(worker, pool.poster))) {
      return void waiting.map(refer);
    }
    for (const claim of waiting) {
      judge(pool, claim, { by: 'consensus', isRight: claim.answer === winners[0]![0] });
    }
  } else if (unit.wanted < pool.maxOverlap) {
    unit.wanted += 1;
    unit.free += 1;
  } else delivered.filter(({ status }) => status === 'verifying').map(refer);
}

/** Judges what a worker waits for, all together. */
function judgeByGold(pool: Pool, worker: Member): void {
  const own = claimsOf(pool).filter((claim) => claim.worker === worker && !claim.isClosed);
  const waiting = own.filter(
    ({ status, isDue, hasWaited, isForPoster }) =>
      status === 'verifying' && (isDue || hasWaited || isForPoster),
  );
  const isKnown = ({ unit }: Claim) => expectedOf(unit) !== undefined;
  const isRight = ({ answer, unit }: Claim) => answer === expectedOf(unit);
  const known = waiting.filter(isKnown);
  const { seen, right } = evidenceOf(pool, worker, known.length);
  if (seen === 0 || seen < Math.min(GOLD_MIN, goldIn(pool))) {
    for (const claim of waiting) {
      if (!claim.isForPoster) Object.assign(claim, { isDue: false, hasWaited: true });
    }
    return;
  }
  const isGood = right + known.filter(isRight).length >= 0.7 * seen;
  for (const claim of waiting) {
    judge(pool, claim, { by: 'gold', isRight: isKnown(claim) ? isRight(claim) : isGood });
  }
  if (!isGood) return;
  const misjudged = own.filter(
    (claim) => claim.status === 'rejected' && claim.judgedBy === 'gold' && !isKnown(claim),
  );
  for (const claim of misjudged) if (!waiting.includes(claim)) accept(pool, claim, 'gold');
}

/** Known answers of a worker in this task or, if too few, to this poster, and so many more seen. */
function evidenceOf(pool: Pool, worker: Member, more: number): { seen: number; right: number } {
  const judged = claimsOf(pool).filter(
    (claim) =>
      claim.worker === worker && claim.unit.expected !== undefined && claim.judgedBy !== undefined,
  );
  if (judged.length + more >= Math.min(GOLD_MIN, goldIn(pool))) {
    const right = judged.filter(({ status }) => status === 'accepted').length;
    return { seen: judged.length + more, right };
  }
  const { goldSeen, goldRight } = recordWith(worker, pool.poster);
  return { seen: goldSeen + more, right: goldRight };
}

/** The timer has seen what is due. */
export function settle(pool: Pool): void {
  const due = claimsOf(pool)
    .filter(({ isDue, isClosed }) => isDue && !isClosed)
    .toSorted((a, b) => a.id - b.id);
  const rejected = due.filter(({ status }) => status === 'rejected');
  const verifying = due.filter(({ status }) => status === 'verifying');
  for (const claim of due) if (claim.status === 'claimed') giveUp(claim, 'expired');
  for (const claim of verifying) if (claim.isForPoster) accept(pool, claim, 'timeout');
  judgeDue(
    pool,
    verifying.filter(({ isForPoster }) => !isForPoster),
  );
  const isDoubted = claimsOf(pool).some(
    ({ status, judgedBy }) => status === 'appealed' && judgedBy === 'gold',
  );
  for (const claim of rejected) {
    if (claim.status !== 'rejected' || claim.isClosed) continue;
    if (isDoubted && claim.judgedBy === 'gold') claim.isDue = false;
    else endRejected(pool, claim);
  }
  closeIfDone(pool);
}

function judgeDue(pool: Pool, due: readonly Claim[]): void {
  if (pool.verification === 'gold') {
    for (const worker of new Set(due.map((one) => one.worker))) judgeByGold(pool, worker);
    return;
  }
  for (const claim of due) {
    const expected = expectedOf(claim.unit);
    if (expected !== undefined)
      judge(pool, claim, { by: 'gold', isRight: claim.answer === expected });
    else if (pool.verification === 'schema') accept(pool, claim, 'schema');
    else refer(claim);
  }
}

/** The rest of its budget is its poster's again, when nothing of it waits. */
export function closeIfDone(pool: Pool): void {
  const { poster, held, units } = pool;
  const waits = claimsOf(pool).some(({ isClosed }) => !isClosed);
  const isWanted = units.some((unit) => unit.free > 0 && isWork(pool, unit));
  if (pool.isClosed || waits || (goesOn(pool) && isWanted)) return;
  pool.isClosed = true;
  if (goesOn(pool)) pool.status = 'completed';
  poster.credit += held.credit;
  poster.cash += held.cash;
}
