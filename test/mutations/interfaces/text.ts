import type { Mutation } from '../mutation.ts';

const STORED = ['test/api/http/strange_text.test.ts'];
const FORMS = ['test/console/strange_text.test.ts'];
const HOSTILE = ['test/api/http/hostile_text.test.ts'];

/** Text from outside: made storable before it is measured, and no instruction to who reads it. */
export const TEXT: readonly Mutation[] = [
  {
    name: 'text_is_measured_before_it_is_cleaned',
    file: 'shared/kernel/schema.ts',
    from: 'const value = cleaned(schema, readBySchema(schema, given, isRead), unseen);',
    to: 'const value = readBySchema(schema, given, isRead);\n  cleaned(schema, value, unseen);',
    tests: STORED,
    grep: 'agent_name of POST /api/v1/agent/spawn',
  },
  {
    name: 'text_that_nobody_sees_is_stored',
    file: 'shared/kernel/schema.ts',
    from: 'if (unseen.length > 0) throw invalid(unseen);',
    to: '',
    tests: STORED,
    grep: 'agent_name of POST /api/v1/agent/spawn',
  },
  {
    name: 'form_is_read_with_what_is_no_text',
    file: 'api/console/session/form.ts',
    from: '  refuseUnstorable(Object.fromEntries(texts));\n',
    to: '',
    tests: FORMS,
    grep: 'signs nobody in',
  },
  {
    name: 'passkey_answer_is_read_with_what_is_no_text',
    file: 'api/console/session/webauthn.ts',
    from: '  refuseUnstorable(value);\n',
    to: '',
    tests: FORMS,
    grep: 'signs nobody in',
  },
  {
    name: 'name_of_another_is_a_sentence',
    file: 'shared/kernel/text.ts',
    from: "name.replaceAll(BETWEEN_WORDS, '-')",
    to: 'name',
    tests: HOSTILE,
    grep: 'no sentence',
  },
  {
    name: 'seller_of_a_product_is_named_by_a_sentence',
    file: 'shared/domains/products/product_view.ts',
    from: 'username: shownName(listing.username)',
    to: 'username: listing.username',
    tests: HOSTILE,
    grep: 'no sentence',
  },
];
