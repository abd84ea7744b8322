import { invalid } from '../../../kernel/schema.ts';
import { invalidContent, isAddressLike } from './file_text.ts';

/** Rows of which the column of addresses is found. */
const LOOKED_AT = 1_000;

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * The index of the column that holds the addresses: the one named, by name or by number from 1;
 * else the one with the most, where a name with "mail" in it counts double.
 */
export function emailColumnOf({ columns, rows }: Table, named: string | undefined): number {
  if (named !== undefined) {
    const at = columns.findIndex((name) => name.toLowerCase() === named.trim().toLowerCase());
    const number = /^\d{1,3}$/.test(named) ? Number(named) - 1 : -1;
    const found = at >= 0 ? at : number;
    if (found >= 0 && found < columns.length) return found;
    throw invalid([{ pointer: '/column', message: `is none of its columns: ${listed(columns)}` }]);
  }
  const some = rows.slice(0, LOOKED_AT);
  const scores = columns.map((name, n) => {
    const addresses = some.filter((row) => isAddressLike(row[n])).length;
    return addresses * (/mail/i.test(name) ? 2 : 1);
  });
  const most = Math.max(0, ...scores);
  if (most > 0) return scores.indexOf(most);
  throw invalidContent(`has no column of addresses: name it in column, one of ${listed(columns)}`);
}

const listed = (columns: readonly string[]): string =>
  columns
    .slice(0, 10)
    .map((name) => JSON.stringify(name.slice(0, 40)))
    .join(', ');
