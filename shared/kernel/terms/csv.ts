/**
 * A line of a CSV file (RFC 4180). An apostrophe is put before text that a spreadsheet would take
 * for a formula (OWASP, CSV Injection); numbers stay numbers.
 */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(cellOf).join(',')}\r\n`;

/** Signs that begin one, also of full width, after what a spreadsheet may skip. */
const FORMULA = /^[\s\u200B-\u200D\u2060]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return decimalOf(value);
  return csvText(value);
}

/** A text as a cell. */
export function csvText(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A number without an exponent. */
const decimalOf = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(6).replace(/0+$/, '');
