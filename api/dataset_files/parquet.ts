import { ByteWriter, ParquetWriter, type BasicType } from 'hyparquet-writer';

import {
  own,
  type ColumnType,
  type ColumnTypes,
  type DatasetRow,
} from '../../shared/domains/datasets/files/columns.ts';

/** Cells of a row group, about: it is in memory, and other calls wait while it is written. */
const GROUP_CELLS = 10_000;

const SCHEMA = {
  boolean: { type: 'BOOLEAN' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
} as const satisfies Readonly<Record<ColumnType, { type: BasicType; converted_type?: 'UTF8' }>>;

/** Rows as a Parquet file, a row group after the other. */
export async function* parquetPieces(
  parts: AsyncIterable<readonly DatasetRow[]>,
  columns: ColumnTypes,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: [
      { name: 'root', num_children: columns.size },
      ...[...columns].map(([name, type]) => ({
        name,
        repetition_type: 'OPTIONAL' as const,
        ...SCHEMA[type],
      })),
    ],
    createdBy: 'agent-marketplace',
  });
  let rows: DatasetRow[] = [];
  for await (const part of parts) {
    rows = rows.concat(part);
    if (rows.length * columns.size < GROUP_CELLS) continue;
    yield* group(file, { bytes, rows, columns });
    rows = [];
  }
  if (rows.length > 0) yield* group(file, { bytes, rows, columns });
  void file.finish();
  yield taken(bytes);
}

function* group(
  file: ParquetWriter,
  { bytes, rows, columns }: { bytes: ByteWriter; rows: DatasetRow[]; columns: ColumnTypes },
) {
  const columnData = [...columns].map(([name, type]) => ({
    name,
    data: rows.map((row) => valueOf(own(row, name), type)),
  }));
  void file.write({ columnData, rowGroupSize: rows.length });
  yield taken(bytes);
}

/** Takes what was written until now. */
function taken(bytes: ByteWriter): Uint8Array {
  const piece = bytes.getBytes().slice();
  bytes.index = 0;
  return piece;
}

function valueOf(value: unknown, type: ColumnType): unknown {
  if (value === undefined || value === null) return undefined;
  if (type === 'integer') return BigInt(String(value as number));
  return type === 'json' ? JSON.stringify(value) : value;
}
