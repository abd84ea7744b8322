/** Decimal digits of a scaled number. Further digits of a source are cut. */
const DIGITS = 18;

/** The number 1, scaled. */
export const ONE = 10n ** BigInt(DIGITS);

/**
 * Parses a positive decimal number without an exponent, times ONE; undefined: it is none. At most
 * twelve digits may precede the point.
 */
export function scaledOf(text: string): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,60}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const value = BigInt(whole + fraction.slice(0, DIGITS).padEnd(DIGITS, '0'));
  return value > 0n ? value : undefined;
}

/** The shortest decimal text of a scaled number. */
export function textOf(scaled: bigint): string {
  const digits = scaled.toString().padStart(DIGITS + 1, '0');
  const fraction = digits.slice(-DIGITS).replace(/0+$/, '');
  return digits.slice(0, -DIGITS) + (fraction && `.${fraction}`);
}
