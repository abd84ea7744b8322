import { invalid } from '../../../kernel/schema.ts';
import { fromUsd, type Micros } from '../../../kernel/money.ts';

/** Micro-dollars in a cent, the smallest unit of card payments. */
export const MICROS_A_CENT = 10_000n;

/** The amount in micro-dollars. Refuses fractions of a cent; `pointer` names the field. */
export function wholeCents(amount: number, pointer: string): Micros {
  const micros = fromUsd(amount);
  if (micros % MICROS_A_CENT === 0n) return micros;
  throw invalid([{ pointer, message: 'must be in whole cents' }]);
}
