import { losesAppeals } from './labor_records.ts';
import {
  claimsOf,
  goesOn,
  hasWork,
  isOver,
  offeredTo,
  RIGHT,
  type Claim,
  type Pool,
} from './labor_units.ts';
import { waitsForPoster } from './pools.ts';
import type { Member } from './work.ts';

/** Units of a pool, which has fewer, that a worker may give up in a day. */
const GIVEN_UP_MAX = 5;
const APPEALS_OPEN_MAX = 5;
const WRONG = 'invalid_transition';

/** The codes with which calls are refused. */
export const refusals = {
  take(pool: Pool, by: Member) {
    if (by === pool.poster) return 'forbidden';
    const own = claimsOf(pool).filter(({ worker }) => worker === by);
    if (own.filter(isOver).length >= GIVEN_UP_MAX) return 'rate_limited';
    return hasWork(pool, offeredTo(pool, by)) ? undefined : WRONG;
  },
  deliver({ verification }: Pool, claim: Claim, { by, answer }: { by: Member; answer: string }) {
    if (by !== claim.worker) return 'not_found';
    if (isOver(claim)) return 'claim_expired';
    if (claim.status !== 'claimed') return WRONG;
    return verification === 'schema' && answer !== RIGHT ? 'verification_failed' : undefined;
  },
  heartbeat(claim: Claim, by: Member) {
    if (by !== claim.worker) return 'not_found';
    if (isOver(claim)) return 'claim_expired';
    return claim.status === 'claimed' ? undefined : WRONG;
  },
  release(claim: Claim, by: Member) {
    if (by !== claim.worker) return 'not_found';
    return claim.status === 'claimed' ? undefined : WRONG;
  },
  appeal(claim: Claim, by: Member, pools: readonly Pool[]) {
    if (by !== claim.worker) return 'not_found';
    if (losesAppeals(by)) return 'rate_limited';
    const open = pools
      .flatMap(claimsOf)
      .filter(({ worker, status: is }) => worker === by && is === 'appealed');
    if (open.length >= APPEALS_OPEN_MAX) return WRONG;
    const { status, isClosed, isDue } = claim;
    return status === 'rejected' && !isClosed && !isDue ? undefined : WRONG;
  },
  judge({ poster }: Pool, claim: Claim, { by, isRight }: { by: Member; isRight: boolean }) {
    if (by !== poster) return 'forbidden';
    const isPaid = claim.unit.claims.some(
      ({ status, answer }) => status === 'accepted' && answer === claim.answer,
    );
    return waitsForPoster(claim, isRight) && (isRight || !isPaid) ? undefined : WRONG;
  },
  decide: ({ status }: Claim) => (status === 'appealed' ? undefined : WRONG),
  /** Pausing, too. */
  cancel(pool: Pool, by: Member) {
    if (by !== pool.poster) return 'forbidden';
    return goesOn(pool) ? undefined : WRONG;
  },
};
