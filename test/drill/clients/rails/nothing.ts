import type { Trade } from '../domain.ts';

/** What is done where there is no chain. */
export const nothing: Trade = { steps: [], compare: async () => undefined };
