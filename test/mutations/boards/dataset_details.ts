import type { Mutation } from '../mutation.ts';

const DELIVERY = 'shared/domains/datasets/delivery.ts';
const LIST = 'shared/domains/datasets/list_datasets.ts';
const tests = ['test/datasets/dataset_details.test.ts'];

/** Licence, columns and freshness of a dataset, which are seen before it is bought. */
export const DATASET_DETAILS: readonly Mutation[] = [
  {
    name: 'row_of_a_dataset_is_empty',
    file: 'shared/domains/datasets/delivery.ts',
    from: 'if (empty >= 0) throw',
    to: 'if (empty > data.length) throw',
    tests: ['test/datasets/datasets.test.ts'],
    grep: 'what their type delivers',
  },
  {
    name: 'uploaded_row_is_empty',
    file: 'shared/domains/datasets/upload_dataset_rows.ts',
    from: 'if (Object.keys(row).length === 0)',
    to: 'if (false)',
    tests: ['test/datasets/dataset_uploads.test.ts'],
    grep: 'an object each',
  },
  {
    name: 'first_rows_are_shown_unasked',
    file: DELIVERY,
    from: 'return count ?? before',
    to: 'return count ?? PREVIEW_ROWS_MAX ?? before',
    tests,
    grep: 'but no row',
  },
  {
    name: 'preview_cannot_be_switched_off',
    file: DELIVERY,
    from: "if (type !== 'json' || preview === false) return null;",
    to: "if (type !== 'json') return null;",
    tests,
    grep: 'wants none',
  },
  {
    name: 'first_rows_are_shown_after_the_seller_stopped_it',
    file: 'shared/domains/datasets/rotate_dataset.ts',
    from: 'newest: version, preview_rows }',
    to: 'newest: version }',
    tests,
    grep: 'as its seller shows',
  },
  {
    name: 'cells_of_a_preview_are_whole',
    file: 'shared/domains/datasets/files/preview.ts',
    from: 'const CELL_CHARS_MAX = 200;',
    to: 'const CELL_CHARS_MAX = 2_000;',
    tests,
    grep: 'short ones',
  },
  {
    name: 'dataset_that_is_not_on_offer_is_seen',
    file: 'shared/domains/datasets/get_dataset.ts',
    from: 'd.root_id = $2 or ${ON_OFFER}',
    to: 'd.root_id = $2 or true or ${ON_OFFER}',
    tests,
    grep: 'not on offer',
  },
  {
    name: 'list_of_datasets_counts_the_first_price',
    file: LIST,
    from: '(coalesce(p.price, d.price) <= $8',
    to: '(d.price <= $8',
    tests,
    grep: 'can be asked for',
  },
];
