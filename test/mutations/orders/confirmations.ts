import type { Mutation } from '../mutation.ts';
import { GOODS_CHECKS } from './goods_checks.ts';

const CONFIRM = 'migrations/functions/orders/confirm_orders.sql';
const OPERATION = 'shared/domains/orders/confirm_order.ts';
const BATCHES = 'shared/composition/invoke/write_batches.ts';
const TOGETHER = 'test/orders/confirm_batch.test.ts';
const KILLED = 'test/faults/killed_writes.test.ts';
const LOST = 'test/faults/lost_commits.test.ts';

const RULE = 'test/orders/set_confirm_rule.test.ts';

/** Orders that a rule confirms. */
export const CONFIRMED_BY_RULE: readonly Mutation[] = [
  ...GOODS_CHECKS,
  {
    name: 'rule_confirms_dearer_orders',
    file: 'shared/domains/orders/confirm_rule.ts',
    from: 'orders.subtotal + orders.fee <= rule.amount_max',
    to: 'orders.subtotal <= rule.amount_max',
    tests: [RULE],
  },
  {
    name: 'rule_that_is_off_confirms',
    file: 'shared/domains/orders/confirm_rule.ts',
    from: ' and rule.enabled',
    to: '',
    tests: [RULE],
  },
  {
    name: 'rule_of_another_tree_confirms',
    file: 'shared/domains/orders/confirm_rule.ts',
    from: 'rule.root_id = orders.buyer_root and',
    to: '',
    tests: [RULE],
  },
  {
    name: 'rule_holds_an_escrow_longer',
    file: 'shared/domains/orders/opening.ts',
    from: 'release_at = least(release_at,\n',
    to: 'release_at = coalesce(\n',
    tests: [RULE],
  },
  {
    name: 'child_sets_the_rule',
    file: 'shared/domains/orders/set_confirm_rule.ts',
    from: "access: 'owner'",
    to: "access: 'buy'",
    tests: [RULE],
  },
];

/** Confirmations by set, and batches of writes. */
export const CONFIRMATIONS_BY_SET: readonly Mutation[] = [
  {
    name: 'batch_confirms_orders_of_others',
    file: CONFIRM,
    from: ' and u.agent = any (buyer.lineage)',
    to: '',
    tests: [TOGETHER],
  },
  {
    name: 'batch_confirms_for_no_owner',
    file: CONFIRM,
    from: 'u.agent = any (buyer.lineage)',
    to: 'u.agent = buyer.id',
    tests: [TOGETHER],
    grep: 'one by one',
  },
  {
    name: 'batch_confirms_an_order_that_is_not_in_escrow',
    file: CONFIRM,
    from: "from lock_orders(v_orders) where status = 'escrow';",
    to: 'from lock_orders(v_orders);',
    tests: [TOGETHER],
  },
  {
    name: 'batch_locks_no_order',
    file: CONFIRM,
    from: 'from lock_orders(v_orders) where',
    to: 'from orders where id = any (v_orders) and',
    tests: [TOGETHER],
    grep: 'that somebody is refunding',
  },
  {
    name: 'batch_confirms_an_order_for_two_calls',
    file: CONFIRM,
    from: 'select distinct on (o.id) o.id, u.nth',
    to: 'select o.id, u.nth',
    tests: [TOGETHER],
  },
  {
    name: 'batch_pays_the_fee_to_the_seller',
    file: CONFIRM,
    from: 'array_agg(subtotal), array_agg(seller_root)',
    to: 'array_agg(subtotal + fee), array_agg(seller_root)',
    tests: [TOGETHER],
  },
  {
    name: 'batch_answers_another_call',
    file: OPERATION,
    from: 'confirmed.map(({ nth }) => nth - 1)',
    to: 'confirmed.map((_, n) => n)',
    tests: [TOGETHER],
  },
  {
    name: 'batch_of_writes_performs_a_repeat',
    file: BATCHES,
    from: 'entries.filter(({ job }) => !job || recorded.has(job.id))',
    to: 'entries.filter(({ job }) => !job || recorded.size >= 0)',
    tests: [TOGETHER],
    grep: 'happen once for a key',
  },
  {
    name: 'batch_of_writes_records_no_answer',
    file: BATCHES,
    from: '  await jobs.finishJobs(db, answers);\n',
    to: '  void answers;\n',
    tests: [TOGETHER],
    grep: 'happen once for a key',
  },
  {
    name: 'batch_of_writes_keeps_the_key_of_a_call_that_it_left',
    file: BATCHES,
    from: 'const left = ended.filter(({ result }) => !result);',
    to: 'const left = ended.filter(({ result }) => !result && ended.length === 0);',
    tests: [TOGETHER],
    grep: 'happen once for a key',
  },
  {
    name: 'failed_batch_of_writes_fails_all_its_calls',
    file: BATCHES,
    from: 'if (error instanceof LostCommit || isUnanswered(error)) throw error;',
    to: 'throw error;',
    tests: [TOGETHER],
    grep: 'harm no other',
  },
  {
    name: 'batch_of_writes_is_repeated_after_a_lost_commit',
    file: BATCHES,
    from: 'if (error instanceof LostCommit || isUnanswered(error)) throw error;',
    to: 'if (isUnanswered(error)) throw error;',
    tests: [LOST],
  },
  {
    name: 'key_of_a_write_is_committed_before_its_batch',
    file: BATCHES,
    from: 'await jobs.insertJobs(db, keyed)',
    to: 'await jobs.insertJobs(context.database, keyed)',
    tests: [KILLED, TOGETHER],
  },
  {
    name: 'several_orders_are_confirmed_in_part',
    file: 'shared/domains/orders/confirm_orders.ts',
    from: 'if (left !== undefined) {',
    to: 'if (left !== undefined && confirmed.length === 0) {',
    tests: ['test/orders/confirm_orders.test.ts'],
    grep: 'confirms none',
  },
  {
    name: 'several_orders_are_confirmed_for_nobody',
    file: 'shared/domains/orders/confirm_orders.ts',
    from: '[ids, ids.map(() => tx.caller.agentId)]',
    to: '[ids, ids.map(() => tx.caller.rootId)]',
    tests: ['test/orders/confirm_orders.test.ts'],
    grep: 'no other agent',
  },
];
