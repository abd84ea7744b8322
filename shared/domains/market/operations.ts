import { marketStats } from './market_stats.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [marketStats] as const;
