import { invalid } from '../../kernel/schema.ts';
import { fromUsd, type Micros } from '../../ledger/money.ts';

/** What cards pay: no less than a cent. */
export const MICROS_A_CENT = 10_000n;

/** In micro-dollars, a whole number of cents; refuses others by the field that `pointer` names. */
export function wholeCents(amount: number, pointer: string): Micros {
  const micros = fromUsd(amount);
  if (micros % MICROS_A_CENT === 0n) return micros;
  throw invalid([{ pointer, message: 'must be in whole cents' }]);
}
