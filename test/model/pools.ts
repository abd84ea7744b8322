import { take as pay, type Member } from './work.ts';

/** What the marketplace should do with labor and its money. Amounts are in cents. */

export interface Pool {
  readonly id: number;
  readonly poster: Member;
  readonly verification: string;
  readonly maxOverlap: number;
  readonly reward: number;
  /** What is in its escrow. */
  readonly held: { credit: number; cash: number };
  readonly units: readonly Unit[];
  status: string;
  isClosed: boolean;
}

export interface Unit {
  readonly expected: string | undefined;
  readonly claims: Claim[];
  wanted: number;
  free: number;
}

export interface Claim {
  readonly id: number;
  readonly unit: Unit;
  readonly worker: Member;
  status: string;
  judgedBy: string | undefined;
  answer: string | undefined;
  isAppealed: boolean;
  /** What it waits for has come, and no timer has seen that. */
  isDue: boolean;
  isClosed: boolean;
}

/** The answer that is right, and the one that fits the schema of tasks which have one. */
export const RIGHT = '"cat"';
/** So many gold units are answered before they say anything of a worker. */
const GOLD_MIN = 3;

export const claimsOf = ({ units }: Pool): Claim[] => units.flatMap(({ claims }) => claims);

/** Units of a pool, which has fewer, that a worker may give up in a day. */
const GIVEN_UP_MAX = 5;
const hasGivenUp = ({ status }: Claim) => status === 'released' || status === 'expired';
const hasLapsed = ({ status, isDue }: Claim) => status === 'claimed' && isDue;
const isOver = (claim: Claim) => hasGivenUp(claim) || hasLapsed(claim);

export const goesOn = ({ status }: Pool) => status === 'open' || status === 'paused';

/** The units that an agent may be given, with those whose leases have ended. */
export const offeredTo = ({ status, units }: Pool, by: Member): Unit[] =>
  status === 'open'
    ? units.filter(
        ({ free, claims }) =>
          free + claims.filter(hasLapsed).length > 0 &&
          !claims.some((claim) => claim.worker === by && !isOver(claim)),
      )
    : [];

export function begin(unit: Unit, worker: Member, id: number): void {
  const fresh = { judgedBy: undefined, answer: undefined, isAppealed: false, isDue: false };
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

function accept({ reward, held }: Pool, claim: Claim, judgedBy: string): void {
  const { credit, cash } = pay(held, reward);
  claim.worker.credit += credit;
  claim.worker.cash += cash;
  Object.assign(claim, { status: 'accepted', judgedBy, isClosed: true });
}

function reject(pool: Pool, claim: Claim, judgedBy: string): void {
  Object.assign(claim, { status: 'rejected', judgedBy, isDue: false });
  if (claim.isAppealed) endRejected(pool, claim);
}

function endRejected({ verification }: Pool, claim: Claim): void {
  claim.isClosed = true;
  if (claim.unit.expected === undefined && verification !== 'consensus') claim.unit.free += 1;
}

export function judge(pool: Pool, claim: Claim, { by, isRight }: { by: string; isRight: boolean }) {
  if (isRight) accept(pool, claim, by);
  else reject(pool, claim, by);
}

export function deliver(pool: Pool, claim: Claim, answer: string): void {
  const { verification } = pool;
  const { expected } = claim.unit;
  Object.assign(claim, { status: 'verifying', answer, isDue: false });
  if (expected !== undefined) judge(pool, claim, { by: 'gold', isRight: answer === expected });
  else if (verification === 'consensus') judgeUnit(pool, claim.unit);
  else if (verification === 'schema') accept(pool, claim, 'schema');
  if (verification === 'gold') judgeByGold(pool, claim.worker);
}

/** What most answers to a unit say is right, if two or more say it, and none is said as often. */
function judgeUnit(pool: Pool, unit: Unit): void {
  const delivered = unit.claims.filter(({ answer }) => answer !== undefined);
  if (delivered.length < unit.wanted) return;
  const votes = new Map<string, number>();
  for (const { answer } of delivered) votes.set(answer!, (votes.get(answer!) ?? 0) + 1);
  const most = Math.max(...votes.values());
  const winners = [...votes].filter(([, count]) => count === most);
  if (most > 1 && winners.length === 1) {
    for (const claim of delivered.filter(({ status }) => status === 'verifying')) {
      judge(pool, claim, { by: 'consensus', isRight: claim.answer === winners[0]![0] });
    }
  } else if (unit.wanted < pool.maxOverlap) {
    unit.wanted += 1;
    unit.free += 1;
  }
}

function judgeByGold(pool: Pool, worker: Member): void {
  const own = claimsOf(pool).filter((claim) => claim.worker === worker);
  const gold = own.filter(({ unit, answer }) => unit.expected !== undefined && answer);
  const known = pool.units.filter(({ expected }) => expected !== undefined).length;
  if (gold.length < Math.min(GOLD_MIN, known)) return;
  const right = gold.filter(({ unit, answer }) => answer === unit.expected).length;
  for (const claim of own) {
    if (claim.unit.expected !== undefined || claim.status !== 'verifying') continue;
    judge(pool, claim, { by: 'gold', isRight: right >= 0.7 * gold.length });
  }
}

/** The timer has seen what is due. */
export function settle(pool: Pool): void {
  const due = claimsOf(pool).filter(({ isDue, isClosed }) => isDue && !isClosed);
  for (const claim of due) {
    if (claim.status === 'claimed') giveUp(claim, 'expired');
    else if (claim.status === 'rejected') endRejected(pool, claim);
    else accept(pool, claim, 'timeout');
  }
  closeIfDone(pool);
}

/** What is left of its budget is its poster's again, when nothing of it waits. */
export function closeIfDone(pool: Pool): void {
  const { poster, held, units } = pool;
  const waits = claimsOf(pool).some(({ isClosed }) => !isClosed);
  if (pool.isClosed || waits || (goesOn(pool) && units.some(({ free }) => free > 0))) return;
  pool.isClosed = true;
  if (goesOn(pool)) pool.status = 'completed';
  poster.credit += held.credit;
  poster.cash += held.cash;
}

const WRONG = 'invalid_transition';

/** The codes with which calls are refused. */
export const refusals = {
  take(pool: Pool, by: Member) {
    if (by === pool.poster) return 'forbidden';
    const own = claimsOf(pool).filter(({ worker }) => worker === by);
    if (own.filter(isOver).length >= GIVEN_UP_MAX) return 'rate_limited';
    return offeredTo(pool, by).length > 0 ? undefined : WRONG;
  },
  deliver({ verification }: Pool, claim: Claim, { by, answer }: { by: Member; answer: string }) {
    if (by !== claim.worker) return 'not_found';
    if (isOver(claim)) return 'claim_expired';
    if (claim.status !== 'claimed') return WRONG;
    return verification === 'schema' && answer !== RIGHT ? 'verification_failed' : undefined;
  },
  heartbeat(claim: Claim, by: Member) {
    if (by !== claim.worker) return 'not_found';
    return claim.status === 'claimed' && !claim.isDue ? undefined : 'claim_expired';
  },
  release(claim: Claim, by: Member) {
    if (by !== claim.worker) return 'not_found';
    return claim.status === 'claimed' ? undefined : WRONG;
  },
  appeal(claim: Claim, by: Member) {
    if (by !== claim.worker) return 'not_found';
    const { status, isClosed, isDue } = claim;
    return status === 'rejected' && !isClosed && !isDue ? undefined : WRONG;
  },
  judge({ poster }: Pool, { status, judgedBy }: Claim, by: Member) {
    if (by !== poster) return 'forbidden';
    const waits = status === 'verifying' || (status === 'appealed' && judgedBy !== 'poster');
    return waits ? undefined : WRONG;
  },
  decide: ({ status, judgedBy }: Claim) =>
    status === 'appealed' && judgedBy === 'poster' ? undefined : WRONG,
  /** Pausing, too. */
  cancel(pool: Pool, by: Member) {
    if (by !== pool.poster) return 'forbidden';
    return goesOn(pool) ? undefined : WRONG;
  },
};
