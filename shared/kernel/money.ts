/**
 * Money is a whole number of micro-dollars. 1 USD = 1_000_000 micros.
 *
 * The cheapest thing sold costs $0.001 and carries a fee of 10 %, so cents are too coarse. Floats
 * exist only on the wire: `fromUsd` on the way in, `toUsd` on the way out, never in between.
 */
export type Micros = bigint;

const MICROS_PER_USD = 1_000_000;

/** Exact: the schema (`Usd`) refuses more than six decimals and more than a million dollars. */
export function fromUsd(usd: number): Micros {
  return BigInt(Math.round(usd * MICROS_PER_USD));
}

/** Exact as printed: a double holds every whole micro-dollar below 9 billion dollars. */
export function toUsd(micros: Micros): number {
  return Number(micros) / MICROS_PER_USD;
}

/** 10 % of the subtotal, half a micro-dollar rounded up. The database checks the same sum. */
export function feeOf(subtotal: Micros): Micros {
  return (subtotal + 5n) / 10n;
}
