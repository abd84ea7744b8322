import type { Mutation } from '../mutation.ts';

const tests = ['test/email/mail_probe.test.ts'];

/** What is asked of mail servers, and what their answers prove. */
export const PROBES: readonly Mutation[] = [
  {
    name: 'a_server_that_turns_us_away_knows_no_mailbox',
    file: 'workers/gateways/mail/reply_meaning.ts',
    from: `if (ABOUT_US.test(words)) return 'turned_away';`,
    to: '',
    tests,
    grep: 'for an answer about the mailbox',
  },
  {
    name: 'a_server_that_accepts_every_mailbox_knows_this_one',
    file: 'workers/gateways/mail/mailbox_check.ts',
    from: `if (second === 'accepted') return 'catch_all';`,
    to: `if (second === 'accepted') return 'mailbox_accepted';`,
    tests,
    grep: 'every mailbox',
  },
  {
    name: 'two_sessions_with_one_mail_server_at_once',
    file: 'workers/gateways/mail/probe.ts',
    from: 'busy.set(server, Infinity);',
    to: '',
    tests,
    grep: 'one session at a time',
  },
  {
    name: 'words_decide_before_an_enhanced_status_code',
    file: 'workers/gateways/mail/reply_meaning.ts',
    from: 'return byStatus(status, words) ?? byWords(code, words);',
    to: 'return byWords(code, words);',
    tests: ['test/email/smtp/reply_meaning.test.ts'],
  },
  {
    name: 'a_reply_about_the_sender_is_about_the_mailbox',
    file: 'workers/gateways/mail/reply_meaning.ts',
    from: `if (ABOUT_SENDER.has(status)) return 'turned_away';`,
    to: '',
    tests: ['test/email/smtp/reply_meaning.test.ts'],
  },
  {
    name: 'any_permanent_failure_refuses_the_mailbox',
    file: 'workers/gateways/mail/reply_meaning.ts',
    from: `return isAboutMailbox ? 'refused' : 'turned_away';`,
    to: `return 'refused';`,
    tests: ['test/email/smtp/reply_meaning.test.ts'],
  },
];
