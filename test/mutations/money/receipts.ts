import type { Mutation } from '../mutation.ts';

const ISSUE = 'shared/domains/receipts/issue_receipts.ts';
const DAYS = 'shared/domains/receipts/receipt_days.ts';
const DEALS = 'migrations/functions/receipts/settled_deals.sql';
const KEYS = 'shared/domains/receipts/signing_keys.ts';
const COMMITMENTS = 'shared/domains/receipts/commitments.ts';
const TESTS = ['test/receipts/receipts.test.ts'];
const OTHER_DEALS = ['test/receipts/other_deals.test.ts'];
const DAY_TESTS = ['test/receipts/receipt_days.test.ts'];

/** Signatures of a deal: of what, for whom, and how often. */
export const RECEIPTS: readonly Mutation[] = [
  {
    name: 'receipts_are_issued_twice_at_once',
    file: 'shared/domains/receipts/watermark.ts',
    from: ' for update of receipt_watermark',
    to: '',
    tests: TESTS,
  },
  {
    name: 'receipt_does_not_name_the_one_before_of_its_batch',
    file: ISSUE,
    from: '      heads.set(root, hash);\n',
    to: '',
    tests: TESTS,
  },
  {
    name: 'receipt_names_no_earlier_batch',
    file: ISSUE,
    from: 'return new Map(found.map(({ root_id, hash }) => [root_id, hash]));',
    to: 'return new Map(found.slice(0, 0).map(({ root_id, hash }) => [root_id, hash]));',
    tests: TESTS,
  },
  {
    name: 'receipt_of_a_closed_day',
    file: ISSUE,
    from: 'const issuedAt = tx.now < day ? day : tx.now;',
    to: 'const issuedAt = tx.now;',
    tests: DAY_TESTS,
  },
  {
    name: 'charges_are_signed_before_their_hour',
    file: ISSUE,
    from: 'tx.now.getTime() - mark.charged_at.getTime() >= CHARGES_EVERY_MS',
    to: 'tx.now.getTime() - mark.charged_at.getTime() >= 0',
    tests: OTHER_DEALS,
  },
  {
    name: 'receipt_leaves_out_what_was_held',
    file: DEALS,
    from: "array['order.hold', 'order.release',",
    to: "array['order.release',",
    tests: TESTS,
  },
  {
    name: 'receipt_names_a_worker_who_was_not_paid',
    file: DEALS,
    from: 'case when t.paid > 0 then t.worker_id end',
    to: 't.worker_id',
    tests: OTHER_DEALS,
  },
  {
    name: 'receipt_without_a_salt',
    file: COMMITMENTS,
    from: "sha256([salt, ...items].join('\\n'))",
    to: "sha256(items.join('\\n'))",
    tests: TESTS,
  },
  {
    name: 'receipt_of_what_was_given_back_hashes_goods',
    file: COMMITMENTS,
    from: "deal.kind === kind && deal.outcome !== 'refunded'",
    to: 'deal.kind === kind',
    tests: TESTS,
  },
  {
    name: 'replaced_key_is_kept',
    file: KEYS,
    from: 'update receipt_key set sealed = null, retired_at = now() where retired_at is null',
    to: 'update receipt_key set retired_at = null where retired_at is null',
    tests: TESTS,
  },
  {
    name: 'receipt_of_others_is_shown',
    file: 'shared/domains/receipts/get_receipt.ts',
    from: "'where r.id = $2 and ($3 = any (payer.lineage) or $3 = any (payee.lineage))'",
    to: "'where r.id = $2 and $3::bigint > 0'",
    tests: TESTS,
  },
  {
    name: 'receipt_of_others_is_listed',
    file: 'shared/domains/receipts/list_receipts.ts',
    from: '           and ($4 = any (payer.lineage) or $4 = any (payee.lineage))`,',
    to: '           and $4::bigint > 0`,',
    tests: TESTS,
  },
  {
    name: 'signed_text_that_is_no_receipt_is_genuine',
    file: 'shared/domains/receipts/verify_receipt.ts',
    from: 'if (found.length === 0)',
    to: 'if (found.length > 1)',
    tests: ['test/receipts/verify_receipt.test.ts'],
  },
  {
    name: 'day_is_closed_before_it_is_over',
    file: DAYS,
    from: 'tx.now.getTime() >= day.getTime() + DAY_MS',
    to: 'tx.now.getTime() >= day.getTime() + DAY_MS / 2',
    tests: DAY_TESTS,
  },
  {
    name: 'leaf_can_be_taken_for_a_node',
    file: 'shared/domains/receipts/hash_tree.ts',
    from: 'sha256(LEAF, hash)',
    to: 'sha256(hash)',
    tests: DAY_TESTS,
  },
  {
    name: 'receipt_in_another_spelling_is_signed',
    file: KEYS,
    from: "  if (!jws.split('.').every(isCanonical)) return undefined;\n",
    to: '',
    tests: ['test/receipts/verify_receipt.test.ts'],
  },
];
