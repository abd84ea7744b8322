/** Of a scaled number. A source that says more is cut there. */
const DIGITS = 18;

/** What one is, scaled. */
export const ONE = 10n ** BigInt(DIGITS);

/**
 * A positive decimal number without an exponent, times ONE; undefined: it is none. What is left of
 * the point has twelve digits at most.
 */
export function scaledOf(text: string): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,60}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const value = BigInt(whole + fraction.slice(0, DIGITS).padEnd(DIGITS, '0'));
  return value > 0n ? value : undefined;
}

/** The shortest text of it. */
export function textOf(scaled: bigint): string {
  const digits = scaled.toString().padStart(DIGITS + 1, '0');
  const fraction = digits.slice(-DIGITS).replace(/0+$/, '');
  return digits.slice(0, -DIGITS) + (fraction && `.${fraction}`);
}
