/** A value as the texts of a field. */
export const textsOf = (value: unknown): string[] => {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return [typeof value === 'string' ? value : JSON.stringify(value)];
};

/** Whether a schema is that of an amount in dollars. */
export const isAmount = ({ type, multipleOf }: { type?: string; multipleOf?: number }): boolean =>
  type === 'number' && multipleOf === 0.000001;

/** An amount as a person writes it: with two decimals, or up to six where it has more. */
export const amountOf = (amount: number): string => amount.toFixed(6).replace(/0{1,4}$/, '');

/**
 * An amount that a person wrote or copied from a page, as programs write it: without the sign of
 * the dollar and the spaces between thousands. A comma stays, so it is refused: in one country it
 * stands before the decimals, in another one between thousands.
 */
export const plainAmount = (text: string): string =>
  text
    .trim()
    .replace(/^\$\s*/, '')
    .replaceAll(/(?<=\d)[\u0020\u00a0\u202f](?=\d{3}(?!\d))/g, '');
