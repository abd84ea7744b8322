import type { Mutation } from '../mutation.ts';

const DOUBTS = 'shared/domains/email/doubts/doubts.ts';
const REFUNDS = 'shared/domains/email/doubts/refund_doubted_answers.ts';
const PROBE = 'workers/gateways/mail/probe.ts';
const tests = ['test/email/doubts/doubts.test.ts'];

/** Mail hosts that refuse every mailbox, and what is given back for their answers. */
export const DOUBTED_HOSTS: readonly Mutation[] = [
  {
    name: 'an_answer_of_a_host_in_doubt_is_charged',
    file: DOUBTS,
    from: `{ ...one, finding: 'host_in_doubt' }`,
    to: 'one',
    tests,
  },
  {
    name: 'a_host_in_doubt_has_a_verdict',
    file: 'shared/domains/email/findings.ts',
    from: "host_in_doubt: ['unknown',",
    to: "host_in_doubt: ['risky',",
    tests,
  },
  {
    name: 'one_tree_keeps_all_others_from_being_answered',
    file: DOUBTS,
    from: 'const isForAll = payers >= PAYERS_MIN;',
    to: 'const isForAll = mailboxes >= refusals;',
    tests,
  },
  {
    name: 'trees_without_cash_keep_others_from_being_answered',
    file: 'shared/domains/ledger/holdings.ts',
    from: 'where id = any ($1) and inflow > 0',
    to: 'where id = any ($1)',
    tests,
  },
  {
    name: 'a_host_that_was_not_asked_for_postmaster_is_in_doubt',
    file: DOUBTS,
    from: 'isRefused && finding.postmaster === false',
    to: 'isRefused',
    tests,
    grep: 'asked for postmaster',
  },
  {
    name: 'refusals_from_before_postmaster_was_accepted_are_in_doubt',
    file: DOUBTS,
    from: 'where machine = $1 and (not refused or postmaster)',
    to: 'where machine = $1 and not refused',
    tests,
    grep: 'last accepted postmaster',
  },
  {
    name: 'a_mailbox_that_is_accepted_ends_no_row_of_refusals',
    file: DOUBTS,
    from: '(not refused or postmaster)',
    to: 'postmaster',
    tests,
    grep: 'a mailbox in between',
  },
  {
    name: 'one_mailbox_makes_a_row_of_refusals',
    file: DOUBTS,
    from: 'count(distinct mailbox) filter (where root_id = $2)::int as own',
    to: 'count(*) filter (where root_id = $2)::int as own',
    tests,
  },
  {
    name: 'an_answer_from_before_the_doubt_is_sold_after_it',
    file: DOUBTS,
    from: `\${reaches('found.machine', '$1', 'found.asked_at')}`,
    to: 'false',
    tests,
  },
  {
    name: 'a_doubt_of_one_tree_reaches_what_others_paid_for',
    file: DOUBTS,
    from: 'd.machine = ${machine} and (d.root_id is null or d.root_id = ${rootId})',
    to: 'd.machine = ${machine}',
    tests,
  },
  {
    name: 'doubted_answers_of_one_charge_are_given_back_once_in_all',
    file: REFUNDS,
    from: '`reply:${replyId}`',
    to: "`reply:${replyId > 0 ? '' : '-'}`",
    tests,
  },
  {
    name: 'an_answer_that_was_given_back_is_given_back_again',
    file: REFUNDS,
    from: 'where id = any ($1) and not refunded order by id',
    to: 'where id = any ($1) order by id',
    tests,
    equivalent: 'the refund of a charge has a unique cause, and gives nothing the second time',
  },
  {
    name: 'postmaster_is_asked_for_after_each_refusal',
    file: PROBE,
    from: 'onPostmaster: isChecked ? onPostmaster : undefined',
    to: 'onPostmaster',
    tests,
    grep: 'accepts postmaster',
  },
  {
    name: 'any_answer_about_an_email_is_given_back',
    file: 'shared/domains/wallet/refund_charge.ts',
    from: "assert(service !== 'email' || isDoubted,",
    to: "assert(service !== 'email' || isDoubted || true,",
    tests: ['test/wallet/refund_charge.test.ts'],
  },
  {
    name: 'answers_of_a_file_that_were_given_back_stay',
    file: 'shared/domains/email/doubts/refund_doubted_answers.ts',
    from: 'await withdrawResults(tx.db, replies);',
    to: '',
    tests: ['test/email/doubts/doubted_files.test.ts'],
  },
];
