import { LEDGER } from './ledger.ts';
import type { Mutation } from './mutation.ts';

/** Every mutation, by the part of the marketplace that it is of. */
export const MUTATIONS: Readonly<Record<string, readonly Mutation[]>> = {
  ledger: LEDGER,
};
