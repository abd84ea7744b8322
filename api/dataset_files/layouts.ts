import type { RowsVersion } from '../../shared/domains/datasets/files/row_parts.ts';
import {
  columnsOf,
  type ColumnTypes,
  type DatasetRow,
} from '../../shared/domains/datasets/files/columns.ts';
import { csvPieces } from './csv.ts';
import { parquetPieces } from './parquet.ts';

export type Ending = 'jsonl' | 'csv' | 'parquet';
type Parts = AsyncIterable<readonly DatasetRow[]>;

/** A file of a version: its bytes are the same whenever they are made. */
interface Layout {
  readonly size: number;
  pieces(): AsyncIterable<Uint8Array>;
}

/** The form of a file: a download that goes on must not mix two. Raise it when bytes change. */
export const FORM: Readonly<Record<Ending, string>> = {
  jsonl: '',
  csv: '-csv-1',
  parquet: '-pq-1',
};

const LAYOUTS_MAX = 200;

interface Known {
  readonly size: number;
  readonly columns: ColumnTypes;
}

/**
 * Finds the layouts of files. The size of CSV and Parquet is found by making them once, which is
 * remembered, and no bytes of them.
 */
export function layouts() {
  const known = new Map<string, Known>();

  async function tableOf(key: string, ending: 'csv' | 'parquet', open: () => Parts) {
    const found = known.get(key);
    if (found) return found;
    const columns = await columnsOf(open());
    let size = 0;
    for await (const piece of MAKE[ending](open(), columns)) size += piece.length;
    const [oldest] = known.keys();
    if (known.size >= LAYOUTS_MAX) known.delete(oldest!);
    known.set(key, { size, columns });
    return { size, columns };
  }

  return async (
    { id, version }: RowsVersion,
    ending: Ending,
    { size_bytes, open }: { size_bytes: number; open: () => Parts },
  ): Promise<Layout> => {
    if (ending === 'jsonl') return { size: size_bytes, pieces: () => jsonlPieces(open()) };
    const { size, columns } = await tableOf(`${id}.${version}.${ending}`, ending, open);
    return { size, pieces: () => MAKE[ending](open(), columns) };
  };
}

const MAKE = { csv: csvPieces, parquet: parquetPieces };

/** Rows as they are stored, a row a line. */
async function* jsonlPieces(parts: Parts): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    yield Buffer.from(part.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
}
