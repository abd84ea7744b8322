import type { Mutation } from '../mutation.ts';

const tests = ['test/email/hostile_name_servers.test.ts'];
const MESSAGES = 'workers/gateways/dns/messages.ts';

/** Trust in name servers, and how long others wait for them. */
export const NAME_SERVERS: readonly Mutation[] = [
  {
    name: 'records_of_another_name_are_believed',
    file: MESSAGES,
    from: 'if (entry.name === owner) keep(',
    to: 'if (entry.name !== "") keep(',
    tests,
    grep: 'wrong-owner',
  },
  {
    name: 'an_answer_to_another_query_is_believed',
    file: MESSAGES,
    from: 'message.readUInt16BE(0) !== id',
    to: 'message.readUInt16BE(0) < 0 * id',
    tests,
    grep: 'wrong-id',
  },
  {
    name: 'an_answer_to_another_question_is_believed',
    file: MESSAGES,
    from: 'if (asked.name !== name || message.length < start) return undefined;',
    to: 'if (message.length < start) return undefined;',
    tests,
    grep: 'wrong-question',
  },
  {
    name: 'however_many_records_are_kept',
    file: MESSAGES,
    from: 'if (records.length > RECORDS_MAX) records.pop();',
    to: '',
    tests,
    grep: 'keeps of many records',
  },
  {
    name: 'a_mail_server_may_be_private',
    file: 'workers/gateways/mail/hosts.ts',
    from: 'found.some(({ value }) => isOpenInDns({ host: value, port }, egressAllow))',
    to: 'found.length > 0',
    tests,
    grep: 'private-address',
  },
  {
    name: 'slow_look_ups_keep_their_slots',
    file: 'workers/gateways/dns/lookups.ts',
    from: 'const slow = setTimeout(running.slowDown, SLOW_MS);',
    to: 'const slow = setTimeout(() => undefined, SLOW_MS);',
    tests: ['test/email/lookups.test.ts'],
    grep: 'known to be slow',
  },
  {
    name: 'a_tree_that_has_no_look_up_waits_for_others',
    file: 'workers/gateways/dns/slots.ts',
    from: 'const LONE_MAX = 2;',
    to: 'const LONE_MAX = 0;',
    tests: ['test/email/lookups.test.ts'],
    grep: 'at once for a tree that has none',
  },
  {
    name: 'a_tree_without_answers_waits_for_no_look_up',
    file: 'workers/gateways/dns/slots.ts',
    from: 'running + slow < LONE_MAX && unanswered <= UNANSWERED_FREE;',
    to: 'running + slow < LONE_MAX;',
    tests: ['test/email/lookups.test.ts'],
    grep: 'at once for a tree that has none',
  },
  {
    name: 'the_addresses_of_a_batch_begin_at_once',
    file: 'workers/gateways/mail/start_turns.ts',
    from: 'openTurns({ max, refuse })',
    to: 'openTurns({ max: 40_000, refuse })',
    tests: ['test/email/beginnings.test.ts'],
    grep: 'one at a time',
  },
  {
    name: 'a_slow_address_keeps_its_place_among_beginnings',
    file: 'workers/gateways/mail/start_turns.ts',
    from: 'const timeUp = setTimeout(resolve, ms);',
    to: 'const timeUp = setTimeout(() => undefined, ms);',
    tests: ['test/email/beginnings.test.ts'],
    grep: 'only wait',
  },
  {
    name: 'an_address_waits_for_its_turn_for_ever',
    file: 'workers/gateways/mail/start_turns.ts',
    from: 'setTimeout(() => void begin(), waitMs)',
    to: 'setTimeout(() => undefined, waitMs)',
    tests: ['test/email/beginnings.test.ts'],
    grep: 'without a turn',
  },
  {
    name: 'look_ups_without_answers_come_first',
    file: 'workers/gateways/dns/slots.ts',
    from: 'lines[unanswered <= UNANSWERED_FREE ? 0 : 1]',
    to: 'lines[unanswered <= UNANSWERED_FREE ? 1 : 0]',
    tests: ['test/email/lookups.test.ts'],
    grep: 'before those whose are not',
  },
];
