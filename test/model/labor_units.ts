import type { Member } from './work.ts';

/** Labor and its money, as the marketplace should treat them. Amounts are in cents. */

export interface Pool {
  readonly id: number;
  readonly poster: Member;
  readonly verification: string;
  readonly maxOverlap: number;
  readonly reward: number;
  /** The content of its escrow. */
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
  /** Operators found its known answer to be wrong. */
  isVoid?: boolean;
}

export interface Claim {
  readonly id: number;
  readonly unit: Unit;
  readonly worker: Member;
  status: string;
  judgedBy: string | undefined;
  answer: string | undefined;
  isAppealed: boolean;
  /** Its poster is asked. */
  isForPoster: boolean;
  /** Whether the event it waits for has come, and no timer has seen that. */
  isDue: boolean;
  /** It had come before, and there were too few known answers. */
  hasWaited?: boolean;
  isClosed: boolean;
}

/** The answer that is right, and the one that fits the schema of tasks which have one. */
export const RIGHT = '"cat"';
/** Gold units that are answered before they say anything of a worker. */
export const GOLD_MIN = 3;

/** The known answer of a unit, unless it was withdrawn. */
export const expectedOf = ({ expected, isVoid }: Unit) => (isVoid ? undefined : expected);
export const goldIn = ({ units }: Pool) =>
  units.filter(({ expected }) => expected !== undefined).length;
/** Whether units with known answers are the work itself. */
export const isWork = (pool: Pool, unit: Unit) =>
  unit.expected === undefined || goldIn(pool) === pool.units.length;
export const waitsForRule = (pool: Pool, unit: Unit) =>
  expectedOf(unit) !== undefined ||
  pool.verification === 'gold' ||
  (pool.verification === 'schema' && goldIn(pool) > 0);

export const claimsOf = ({ units }: Pool): Claim[] => units.flatMap(({ claims }) => claims);

const hasGivenUp = ({ status }: Claim) => status === 'released' || status === 'expired';
export const hasLapsed = ({ status, isDue }: Claim) => status === 'claimed' && isDue;
export const isOver = (claim: Claim) => hasGivenUp(claim) || hasLapsed(claim);

export const goesOn = ({ status }: Pool) => status === 'open' || status === 'paused';

/** The units that an agent may be given, with those whose leases have ended. */
export const offeredTo = ({ status, units }: Pool, by: Member): Unit[] =>
  status === 'open'
    ? units.filter(
        ({ free, claims, isVoid }) =>
          !isVoid &&
          free + claims.filter(hasLapsed).length > 0 &&
          !claims.some((claim) => claim.worker === by && !isOver(claim)),
      )
    : [];

/** Whether one of these units is work; the others may be given out, or not, to judge by. */
export const hasWork = (pool: Pool, units: readonly Unit[]): boolean =>
  units.some((unit) => isWork(pool, unit));
