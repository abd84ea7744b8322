import type { Mutation } from '../../mutation.ts';
import { BALANCES } from './balances.ts';
import { LISTED_BALANCES } from './listed_balances.ts';
import { PRIORITY_FEES } from './priority_fees.ts';
import { PROVIDER_METHODS } from './methods.ts';
import { PROVIDERS_SECOND_LOOK } from './second_look.ts';
import { WITHDRAWALS_OF_A_QUORUM } from './withdrawals.ts';
import { PROVIDER_LIMITS } from './transport.ts';

/** All about providers of chains. */
export const PROVIDERS: readonly Mutation[] = [
  ...BALANCES,
  ...LISTED_BALANCES,
  ...PRIORITY_FEES,
  ...PROVIDER_METHODS,
  ...PROVIDERS_SECOND_LOOK,
  ...WITHDRAWALS_OF_A_QUORUM,
  ...PROVIDER_LIMITS,
];
