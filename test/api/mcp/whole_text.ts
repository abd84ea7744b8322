type Row = Readonly<Record<string, unknown>>;
interface Table {
  readonly in_each: Row;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The answer of a tool from its text, with the lists of a long one as they were. */
export const wholeOf = (answer: Row): Row =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, isTable(value) ? listOf(value) : value]),
  );

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && 'in_each' in value && 'columns' in value;

const listOf = ({ in_each: inEach, columns, rows }: Table): Row[] =>
  rows.map((row) => ({
    ...inEach,
    ...Object.fromEntries(columns.map((name, n) => [name, row[n]])),
  }));
