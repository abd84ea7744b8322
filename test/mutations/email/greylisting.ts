import type { Mutation } from '../mutation.ts';

const MAIL = 'workers/gateways/mail/mail.ts';
const tests = ['test/email/greylisting.test.ts'];

/** Mail servers that defer unknown senders, and are asked twice. */
export const GREYLISTING: readonly Mutation[] = [
  {
    name: 'a_server_that_defers_us_once_has_answered',
    file: MAIL,
    from: `answer.finding === 'greylisted' && !deferred.has(mailbox)`,
    to: 'false',
    tests,
  },
  {
    name: 'a_server_that_defers_us_is_asked_for_ever',
    file: MAIL,
    from: `answer.finding === 'greylisted' && !deferred.has(mailbox)`,
    to: `answer.finding === 'greylisted'`,
    tests,
    grep: 'defers again',
  },
  {
    name: 'a_server_that_defers_us_is_asked_again_at_once',
    file: MAIL,
    from: 'if (dueOf(mailbox) > now()) return;',
    to: '',
    tests,
    grep: 'before the delay is over',
  },
  {
    name: 'a_job_forgets_that_its_server_deferred_it',
    file: 'workers/gateways/mail/finding_store.ts',
    from: '[DEFERRED + name, String(at)]',
    to: '[]',
    tests,
    grep: 'defers again',
  },
  {
    name: 'an_impossible_mailbox_is_deferred_in_the_second_session',
    file: 'workers/gateways/mail/smtp/mailbox_check.ts',
    from: "if (first === 'greylisted') await",
    to: "if (first === 'full') await",
    tests,
    grep: 'charged once, for the verdict',
  },
];
