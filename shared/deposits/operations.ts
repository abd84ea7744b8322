import { collectOwed } from './collect_owed.ts';

/** Started by timers and by other operations. */
export const DEPOSIT_JOBS = [collectOwed] as const;
