import { withEscapes } from '../../../shared/kernel/text.ts';

/**
 * Characters from which an answer is told in short as text. It stands whole in structuredContent,
 * and a model that reads both, or text alone, would read hundreds of thousands of tokens.
 */
const CHARS_MAX = 50_000;

type Row = Readonly<Record<string, unknown>>;

/** An answer as text: a long one with the names of the fields of its lists written once. */
export function textOf(body: string, answer: Row): string {
  if (body.length <= CHARS_MAX) return body;
  const short = Object.entries(answer).map(([name, value]) => [
    name,
    isTable(value) ? tableOf(value) : value,
  ]);
  return withEscapes(JSON.stringify(Object.fromEntries(short)));
}

/** A list of objects with the same fields. */
function isTable(value: unknown): value is readonly Row[] {
  if (!Array.isArray(value) || value.length < 2) return false;
  const [first] = value as unknown[];
  const names = namesOf(first);
  return names !== undefined && (value as unknown[]).every((row) => namesOf(row) === names);
}

const namesOf = (row: unknown): string | undefined =>
  typeof row === 'object' && row !== null && !Array.isArray(row)
    ? Object.keys(row).join('\n')
    : undefined;

/** Fields that are alike in all rows once, the others as columns. */
function tableOf(rows: readonly Row[]) {
  const [first] = rows as readonly [Row];
  const texts = (name: string) => new Set(rows.map((row) => JSON.stringify(row[name])));
  const columns = Object.keys(first).filter((name) => texts(name).size > 1);
  const alike = Object.entries(first).filter(([name]) => !columns.includes(name));
  return {
    in_each: Object.fromEntries(alike),
    columns,
    rows: rows.map((row) => columns.map((name) => row[name])),
  };
}
