import type { Trade } from '../domain.ts';

/** A trade that does nothing, where there is no chain. */
export const nothing: Trade = { steps: [], compare: async () => undefined };
