import type { EntitySchemaColumnOptions } from 'typeorm';

/** PostgreSQL hands bigints over as strings; money is a bigint here and nowhere a number. */
export const microsColumn: EntitySchemaColumnOptions = {
  type: 'bigint',
  transformer: {
    to: (micros?: bigint) => micros?.toString(),
    from: (text: string) => BigInt(text),
  },
};
