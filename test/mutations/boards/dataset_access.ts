import type { Mutation } from '../mutation.ts';

const OWES = 'migrations/functions/datasets/owes_access.sql';
const SET_USER = 'shared/domains/datasets/set_dataset_user.ts';
const MYSQL = 'workers/gateways/datasets/mysql.ts';
const tests = ['test/datasets/access_state.test.ts'];

/** A paid buyer of a dataset is let in, or gets its money back. */
export const DATASET_ACCESS: readonly Mutation[] = [
  {
    name: 'seller_who_lets_nobody_in_is_paid',
    file: 'shared/domains/orders/release_due_orders.ts',
    from: 'a.order_id = orders.id',
    to: 'a.order_id = -orders.id',
    tests,
    grep: 'holds the payment while',
  },
  {
    name: 'asking_for_access_at_the_last_moment_is_overlooked',
    file: OWES,
    from: 'from orders where id = new.order_id and status',
    to: 'from orders where id = new.order_id and new.fault is not null and status',
    tests,
    grep: 'at the moment of asking',
  },
  {
    name: 'buyer_waits_for_its_money_for_longer',
    file: OWES,
    from: "now() + interval '7 days'",
    to: "now() + interval '8 days'",
    tests,
    grep: 'told both sides',
  },
  {
    name: 'buyer_without_access_never_gets_its_money_back',
    file: 'shared/domains/datasets/refund_unserved_orders.ts',
    from: 'access_by <= now()',
    to: 'access_by is null',
    tests,
    grep: 'gives the money back',
  },
  {
    name: 'buyer_with_access_puts_off_the_payment_for_ever',
    file: SET_USER,
    from: 'if (grant.version === 0) await deferRelease(db, order);',
    to: 'await deferRelease(db, order);',
    tests,
    grep: 'put off no more',
  },
  {
    name: 'way_to_a_dataset_alone_ends_the_right_to_return_it',
    file: 'shared/domains/orders/refund_order.ts',
    from: '!revealed_at || (await awaitsAccess(db, id))',
    to: '!revealed_at',
    tests,
    grep: 'holds the payment while',
  },
  {
    name: 'buyer_without_access_is_too_late_to_complain',
    file: 'shared/domains/orders/dispute_order.ts',
    from: 'order.release_at <= tx.now && !(await awaitsAccess(tx.db, order_id))',
    to: 'order.release_at <= tx.now',
    tests,
    grep: 'holds the payment while',
  },
  {
    name: 'failed_access_is_tried_all_the_time',
    file: 'shared/domains/datasets/retry_dataset_users.ts',
    from: "interval '5 minutes'",
    to: "interval '0 minutes'",
    tests,
    grep: 'until the server is repaired',
  },
  {
    name: 'words_of_a_server_reach_the_buyer',
    file: 'shared/domains/products/dataset/access.ts',
    from: 'reason: reasonFor(grant.grant_cause)',
    to: 'reason: grant.grant_fault',
    tests,
    grep: 'told both sides',
  },
  {
    name: 'names_of_mysql_end_their_quotation',
    file: MYSQL,
    from: 'escapeId(name, true)',
    to: '`\\`${name}\\``',
    tests: ['test/datasets/mysql_names.test.ts'],
  },
  {
    name: 'names_of_mysql_are_of_several_parts',
    file: MYSQL,
    from: 'escapeId(name, true)',
    to: 'escapeId(name)',
    tests: ['test/datasets/mysql_names.test.ts'],
  },
  {
    name: 'names_of_mysql_have_quotation_marks',
    file: 'shared/domains/datasets/mysql_delivery.ts',
    from: String.raw`[\\w$ -]*[\\w$-]`,
    to: '.*[^ ]',
    tests: ['test/datasets/mysql_names.test.ts'],
    grep: 'refused with',
  },
  {
    name: 'sessions_that_go_on_are_not_noticed',
    file: MYSQL,
    from: '() => true,',
    to: '() => false,',
    tests: ['test/datasets/mysql_without_process.test.ts'],
    grep: 'warned',
  },
];
