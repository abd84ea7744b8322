import type { Mutation } from '../mutation.ts';

const ROUTES = 'api/dataset_files/routes.ts';
const COLUMNS = 'shared/domains/datasets/files/columns.ts';
const tests = ['test/datasets/dataset_files.test.ts'];

/** Rows of datasets as files. */
export const DATASET_FILES: readonly Mutation[] = [
  {
    name: 'download_of_rows_is_no_access',
    file: 'shared/domains/datasets/files/dataset_rows.ts',
    from: 'if (opens) await recordAccess(tx, right);',
    to: '',
    tests,
    grep: 'count as one',
  },
  {
    name: 'list_of_files_is_an_access',
    file: 'shared/domains/datasets/files/dataset_rows.ts',
    from: 'opens = false })',
    to: 'opens = true })',
    tests,
    grep: 'count as one',
  },
  {
    name: 'download_goes_on_with_other_rows',
    file: ROUTES,
    from: "['', etag].includes(ctx.get('If-Range'))",
    to: "ctx.get('If-Range') !== etag || true",
    tests,
    grep: 'go on after a break',
  },
  {
    name: 'download_repeats_a_byte',
    file: 'api/dataset_files/byte_range.ts',
    from: 'Math.max(0, first - at)',
    to: 'Math.max(0, first - at - 1)',
    tests,
    grep: 'go on after a break',
  },
  {
    name: 'rows_as_csv_are_formulas',
    file: 'api/dataset_files/csv.ts',
    from: "if (typeof value === 'string') return csvText(value);",
    to: "if (typeof value === 'string') return value;",
    tests,
    grep: 'no text is a formula',
  },
  {
    name: 'integers_of_parquet_are_rounded',
    file: 'api/dataset_files/parquet.ts',
    from: 'BigInt(String(value as number))',
    to: 'BigInt(value as number)',
    tests,
    grep: 'a type for each column',
  },
  {
    name: 'values_of_other_types_are_joined_as_they_are',
    file: COLUMNS,
    from: "? 'number' : 'json';",
    to: "? 'number' : 'text';",
    tests,
    grep: 'a type for each column',
  },
  {
    name: 'link_of_the_console_ends_a_right',
    file: 'api/console/owner/trade/order_rows.ts',
    from: 'if (revealed_at === null) {',
    to: 'if (revealed_at === undefined) {',
    tests: ['test/console/order_datasets.test.ts'],
    grep: 'leads to its rows',
  },
  {
    name: 'rows_without_common_names_are_a_table',
    file: COLUMNS,
    from: 'if (rows * found.size > CELLS_MAX) throw noTable();',
    to: '',
    tests,
    grep: 'no table',
  },
];
