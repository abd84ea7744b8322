import type { Mutation } from '../mutation.ts';

const STAYS = 'migrations/functions/datasets/dataset_version_stays.sql';
const RIGHT = 'shared/domains/datasets/access_right.ts';
const DISPUTED = 'shared/domains/datasets/disputed_dataset.ts';
const SET_USER = 'shared/domains/datasets/set_dataset_user.ts';
const tests = ['test/datasets/sold_datasets.test.ts'];
const kept = ['test/datasets/kept_versions.test.ts'];
const mysql = ['test/datasets/mysql_sold.test.ts'];

/** Sold versions of a dataset stay as they were until the deal is final. */
export const SOLD_DATASETS: readonly Mutation[] = [
  {
    name: 'sold_dataset_is_swapped_in_a_dispute',
    file: RIGHT,
    from: 'asked ?? (await soldVersion(db, order)) ?? current',
    to: 'asked ?? current',
    tests,
    grep: 'after a complaint',
  },
  {
    name: 'sold_dataset_is_given_for_ever',
    file: RIGHT,
    from: "'select version from dataset_sale where order_id = $1 and is_open'",
    to: "'select version from dataset_sale where order_id = $1'",
    tests,
    grep: 'until the deal is final',
  },
  {
    name: 'any_version_of_a_dataset_is_given',
    file: RIGHT,
    from: 's.version = $6 and s.is_open',
    to: '$6 > 0',
    tests,
    grep: 'no other version',
  },
  {
    name: 'sold_dataset_is_forgotten',
    file: STAYS,
    from: 'and version = p_version and is_open)',
    to: 'and version = p_version and not is_open)',
    tests: kept,
    grep: 'last deal about it is final',
  },
  {
    name: 'late_purchase_buys_what_is_gone',
    file: STAYS,
    from: "superseded_at > clock_timestamp() - interval '1 hour'",
    to: 'superseded_at > clock_timestamp()',
    tests: kept,
    grep: 'committed after the next version',
  },
  {
    name: 'deals_of_datasets_are_never_final',
    file: 'migrations/functions/datasets/closes_dataset_sale.sql',
    from: 'set is_open = false where',
    to: 'set is_open = true where',
    tests: kept,
    grep: 'last deal about it is final',
  },
  {
    name: 'purchase_does_not_say_which_version',
    file: 'migrations/functions/datasets/records_dataset_sale.sql',
    from: 'where product_id = o.product_id limit 1',
    to: 'where product_id = o.product_id limit 0',
    tests: kept,
    grep: 'in a batch',
  },
  {
    name: 'replaced_datasets_are_kept_for_ever',
    file: 'shared/domains/products/dataset/sold.ts',
    from: 'using needless n',
    to: 'using (select * from needless limit 0) n',
    tests: kept,
    grep: 'last deal about it is final',
  },
  {
    name: 'sold_dataset_has_the_hash_of_its_last_part',
    file: 'shared/domains/datasets/versions.ts',
    from: 'hash.update(part === 0 ? text : `,${text}`);',
    to: 'hash.update(text);',
    tests: ['test/datasets/dataset_uploads.test.ts'],
    grep: 'each of one part',
  },
  {
    name: 'datasets_are_shown_to_operators_without_a_dispute',
    file: DISPUTED,
    from: 'join dispute on dispute.order_id = o.id',
    to: 'left join dispute on dispute.order_id = o.id',
    tests,
    grep: 'after a complaint',
  },
  {
    name: 'datasets_are_shown_to_operators_for_ever',
    file: DISPUTED,
    from: 'if (!sold.is_disputed) {',
    to: 'if (!sold) {',
    tests,
    grep: 'after a complaint',
  },
  {
    name: 'operators_see_the_current_version_in_a_dispute',
    file: DISPUTED,
    from: 'const dataset = { id, version, seller_id };',
    to: 'const dataset = { id, version: sold.current_version, seller_id };',
    tests,
    grep: 'after a complaint',
  },
  {
    name: 'operators_see_the_login_of_a_mysql_seller',
    file: DISPUTED,
    from: 'return { host, port, database, tables, tls };',
    to: 'return { host, port, database, tables, tls, ...(JSON.parse(text) as MysqlDelivery) };',
    tests: mysql,
    grep: 'what is current',
  },
  {
    name: 'mysql_user_is_made_where_it_is_refused',
    file: SET_USER,
    from: 'sold ? [...new Set([sold.version, current])] : [current]',
    to: 'sold ? [sold.version] : [current]',
    tests: mysql,
    grep: 'refuses it',
  },
  {
    name: 'mysql_user_of_an_older_version_keeps_what_is_newer',
    file: SET_USER,
    from: 'version > FIRST_VERSION || madeFor > version',
    to: 'version > FIRST_VERSION',
    tests: mysql,
    grep: 'goes back',
  },
  {
    name: 'mysql_user_stays_where_it_was_made_first',
    file: SET_USER,
    from: 'for (const { server } of places.toReversed()) {',
    to: 'for (const { server } of places.slice(0, 1)) {',
    tests: mysql,
    grep: 'every server',
  },
  {
    name: 'login_to_drop_a_user_is_forgotten',
    file: STAYS,
    from: 'and attempts < 6',
    to: 'and attempts < 0',
    tests: mysql,
    grep: 'every server',
  },
];
