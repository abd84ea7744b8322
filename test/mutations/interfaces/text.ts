import type { Mutation } from '../mutation.ts';

const STORED = ['test/api/http/strange_text.test.ts'];
const FORMS = ['test/console/strange_text.test.ts'];
const HOSTILE = ['test/api/http/hostile_text.test.ts'];
const HANDED = ['test/texts/handed_text.test.ts'];
const ROWS = ['test/texts/handed_json.test.ts'];
const ESCAPED = ['test/texts/escaped_text.test.ts'];
const KERNEL = 'shared/kernel/text.ts';
const UNKEPT = 'shared/kernel/reading/unkept.ts';

/** Text from outside: stored as it was sent, and no deception or instruction to who reads it. */
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
    from: 'if (unseen.length > 0) throw invalid(unseen.slice(0, FIELDS_MAX));',
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
  {
    name: 'data_is_cleaned',
    file: KERNEL,
    from: "shownAs === 'text' ? text :",
    to: "shownAs === 'text' ? clean(text) :",
    tests: HANDED,
    grep: 'REST: labor',
  },
  {
    name: 'answer_of_rest_hides_characters',
    file: 'api/http/envelope.ts',
    from: 'ctx.body = withEscapes(ctx.body);',
    to: '',
    tests: ESCAPED,
    grep: 'escape by REST',
  },
  {
    name: 'answer_of_mcp_hides_characters',
    file: 'api/mcp/exchange.ts',
    from: "typeof piece === 'string' ? withEscapes(piece) : piece",
    to: 'piece',
    tests: ESCAPED,
    grep: 'escape by a stream',
  },
  {
    name: 'text_for_a_model_hides_characters',
    file: 'api/mcp/calls/call.ts',
    from: 'body: withEscapes(given.body)',
    to: 'body: given.body',
    tests: ESCAPED,
    grep: 'escape by a tool call,',
  },
  {
    name: 'joiners_of_words_are_escaped',
    file: KERNEL,
    from: 'const ANY_HIDDEN = new RegExp(`[${HIDDEN}]`',
    to: 'const ANY_HIDDEN = new RegExp(`[${HIDDEN}\\u200c\\u200d]`',
    tests: ESCAPED,
    grep: 'escape by REST',
  },
  {
    name: 'page_obeys_hidden_characters',
    file: KERNEL,
    from: 'label(codePointOf(piece))',
    to: 'piece',
    tests: ['test/console/market/market.test.ts'],
    grep: 'names what is not visible',
  },
  {
    name: 'inexact_number_is_sold',
    file: UNKEPT,
    from: '!isExact(token)',
    to: 'false',
    tests: ROWS,
    grep: 'refused by the body of REST',
  },
  {
    name: 'number_of_long_form_is_refused',
    file: UNKEPT,
    from: 'decimalOf(written) === decimalOf(String(read))',
    to: 'written === String(read)',
    tests: ROWS,
    grep: 'sent by the body of REST',
  },
  {
    name: 'names_of_a_row_change_their_order',
    file: UNKEPT,
    from: 'if (!isNextName(part!)) parts',
    to: 'if (false as boolean) parts',
    tests: ROWS,
    grep: 'refused by the body of REST',
  },
  {
    name: 'unkept_part_is_lost_between_processes',
    file: 'api/mcp/sse/sse_channel.ts',
    from: '  noteParts(posted, unkept);\n',
    to: '',
    tests: ROWS,
    grep: 'refused by a message to a stream',
  },
  {
    name: 'uploaded_row_is_changed',
    file: 'shared/domains/datasets/upload_dataset_rows.ts',
    from: '    if (unkept) {',
    to: '    if (false as boolean) {',
    tests: ROWS,
    grep: 'refused by an upload',
  },
  {
    name: 'schema_of_a_task_is_changed',
    file: 'shared/domains/verification/result_check.ts',
    from: 'PublicJson(\n',
    to: '(\n',
    tests: ROWS,
    grep: 'goods and schemas',
  },
  {
    name: 'search_finds_one_form_of_a_text',
    file: 'migrations/functions/search/forms.sql',
    from: 'shown text := normalize(',
    to: 'shown text := (',
    tests: ['test/products/search_assets.test.ts'],
    grep: 'any form of its characters',
  },
];
