import { fromUsd, type Micros } from '../../kernel/money.ts';

/** Characters up to which a body is parsed: of a longer one that would take milliseconds. */
const PARSED_CHARS_MAX = 8_192;

/**
 * The amount in a field of an answer in JSON. In a long one, such as a list of proxies, it is the
 * first number of that name: a name in a text has its quotes escaped. Null: there is none.
 */
export function takenBy(body: string, field: string): Micros | null {
  if (body.length <= PARSED_CHARS_MAX) {
    const value = (JSON.parse(body) as Readonly<Record<string, unknown>>)[field];
    return typeof value === 'number' ? fromUsd(value) : null;
  }
  const name = `"${field}":`;
  const at = body.indexOf(name);
  const [number] = /^ ?\d[\d.e-]*/.exec(body.slice(at + name.length, at + name.length + 24)) ?? [];
  return at < 0 || number === undefined ? null : fromUsd(Number(number));
}
