import type { Mutation } from '../mutation.ts';

const REVIEW = 'shared/domains/reviews/review_order.ts';
const LIST = 'shared/domains/reviews/list_reviews.ts';
const TESTS = ['test/reviews/reviews.test.ts'];

/** Who may review what, once, and what it weighs. */
export const REVIEWS: readonly Mutation[] = [
  {
    name: 'review_of_an_open_order',
    file: REVIEW,
    from: "if (order.status === 'escrow' || order.status === 'disputed') {",
    to: "if (order.status === ('none' as string)) {",
    tests: TESTS,
  },
  {
    name: 'review_of_a_disputed_order',
    file: REVIEW,
    from: " || order.status === 'disputed') {",
    to: ') {',
    tests: TESTS,
  },
  {
    name: 'review_by_the_seller',
    file: REVIEW,
    from: "    assertRole(role, 'buyer');\n",
    to: '    void role;\n    void assertRole;\n',
    tests: TESTS,
  },
  {
    name: 'review_is_edited_for_ever',
    file: REVIEW,
    from: 'before.version >= VERSIONS_MAX',
    to: 'before.version > 10 * VERSIONS_MAX',
    tests: TESTS,
  },
  {
    name: 'review_is_answered_twice',
    file: 'shared/domains/reviews/answer_review.ts',
    from: ' and answered_at is null`',
    to: '`',
    tests: TESTS,
  },
  {
    name: 'review_is_answered_by_its_buyer',
    file: 'shared/domains/reviews/answer_review.ts',
    from: "    assertRole(role, 'seller');\n",
    to: '    void role;\n    void assertRole;\n',
    tests: TESTS,
  },
  {
    name: 'review_of_a_ring_counts',
    file: LIST,
    from: 'where established and fee > 0',
    to: 'where fee > 0',
    tests: TESTS,
  },
  {
    name: 'review_of_a_cent_weighs_as_much',
    file: LIST,
    from: 'sum(rating * fee) / sum(fee)',
    to: 'avg(rating)',
    tests: TESTS,
  },
  {
    name: 'review_of_what_is_off_sale_is_listed',
    file: LIST,
    from: "where status = 'approved' and active and (id",
    to: 'where (id',
    tests: TESTS,
  },
  {
    name: 'review_names_its_order_to_others',
    file: 'shared/domains/reviews/get_review.ts',
    from: ' and ($2 = any (buyer.lineage) or $2 = any (seller.lineage))',
    to: ' and $2::bigint is not null',
    tests: TESTS,
  },
  {
    name: 'hidden_review_is_listed',
    file: LIST,
    from: ' and r.hidden_at is null and r.order_id <',
    to: ' and r.order_id <',
    tests: ['test/reviews/moderated_reviews.test.ts'],
  },
  {
    name: 'hidden_review_counts',
    file: LIST,
    from: ' and r.hidden_at is null\n',
    to: '\n',
    tests: ['test/reviews/moderated_reviews.test.ts'],
  },
];
