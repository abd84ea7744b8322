import type { Mutation } from '../mutation.ts';

const tests = ['test/email/smtp/reply_meaning.test.ts', 'test/email/replies/replies.test.ts'];
const MEANING = 'workers/gateways/mail/smtp/reply_meaning.ts';
const MAILBOX = 'workers/gateways/mail/smtp/mailbox_words.ts';
const OTHERS = 'workers/gateways/mail/smtp/other_words.ts';

/** Rules of what replies of mail servers prove: charges rest on them. */
export const REPLIES: readonly Mutation[] = [
  {
    name: 'a_reply_about_others_is_about_the_mailbox',
    file: MEANING,
    from: 'forMailbox >= WEIGHT_MIN && forMailbox > forOthers',
    to: 'forMailbox >= WEIGHT_MIN',
    tests,
  },
  {
    name: 'a_reply_that_says_as_much_of_others_is_about_the_mailbox',
    file: MEANING,
    from: 'forMailbox > forOthers;',
    to: 'forMailbox >= forOthers;',
    tests,
  },
  {
    name: 'a_bare_code_refuses_the_mailbox',
    file: MEANING,
    from: 'const WEIGHT_MIN = 3;',
    to: 'const WEIGHT_MIN = 1;',
    tests,
  },
  {
    name: 'an_enhanced_status_code_says_nothing_of_the_mailbox',
    file: MEANING,
    from: "state: 'refused', mailbox: 3 },",
    to: "state: 'refused', mailbox: 0 },",
    tests,
  },
  {
    name: 'an_enhanced_status_code_about_us_is_no_statement',
    file: MEANING,
    from: '{ codes: /^5\\.(1\\.[278]|2\\.[34]|4\\.|6\\.|7\\.)/, others: 3 },',
    to: '',
    tests,
  },
  {
    name: 'a_command_that_was_not_understood_refuses_the_mailbox',
    file: MEANING,
    from: 'code >= 500 && code <= 504 ? 4 : 0;',
    to: '0;',
    tests,
  },
  {
    name: 'a_temporary_refusal_is_one_for_good',
    file: MEANING,
    from: "if (isAboutMailbox && state === 'full') return 'full';",
    to: 'if (isAboutMailbox && state) return state;',
    tests,
  },
  {
    name: 'try_later_is_greylisting',
    file: OTHERS,
    from: '/\\bgr[ae]y-? ?list/',
    to: '/\\bgr[ae]y-? ?list|\\blater/',
    tests,
  },
  {
    name: 'a_blocklist_is_greylisting',
    file: MEANING,
    from: "GREYLISTED.test(words) && !others.found.has('list')",
    to: 'GREYLISTED.test(words)',
    tests,
  },
  {
    name: 'the_address_of_the_sender_is_the_mailbox',
    file: MAILBOX,
    from: '"(?<!\\\\b(?:senders?|sender\'s|from|ip|your|client|host|source|return) )\\\\b"',
    to: "'\\\\b'",
    tests,
  },
  {
    name: 'a_refusal_of_the_sender_weighs_little',
    file: OTHERS,
    from: 'weight: 8,',
    to: 'weight: 1,',
    tests,
  },
  {
    name: 'what_is_said_of_the_mailbox_is_said_of_others_too',
    file: MEANING,
    from: 'const others = othersIn(mailbox.rest);',
    to: 'const others = othersIn(words);',
    tests,
  },
  {
    name: 'a_mailbox_that_is_as_full_as_an_impossible_one_is_full',
    file: 'workers/gateways/mail/smtp/mailbox_check.ts',
    from: "return second === first ? 'undecided' : CHECKS[first];",
    to: 'return CHECKS[first];',
    tests: ['test/email/smtp/mail_probe.test.ts'],
    grep: 'impossible mailbox too',
  },
  {
    name: 'reply_that_says_nothing_turns_us_away',
    file: 'workers/gateways/mail/smtp/reply_meaning.ts',
    from: "return forOthers > 0 ? 'turned_away' : 'undecided';",
    to: "return 'turned_away';",
    tests: ['test/email/smtp/reply_meaning.test.ts'],
  },
];
