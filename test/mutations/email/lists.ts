import type { Mutation } from '../mutation.ts';

const SOURCE = 'workers/gateways/mail/lists/disposable_domains.ts';
const LISTS = 'workers/gateways/mail/lists/lists.ts';
const sourceTests = ['test/email/lists/disposable_domains.test.ts'];
const listTests = ['test/email/lists/lists.test.ts'];

/** Lists of domains and names, and what a validation says beside its verdict. */
export const LISTS_OF_DOMAINS: readonly Mutation[] = [
  {
    name: 'a_list_of_disposable_domains_may_shrink_to_nothing',
    file: SOURCE,
    from: 'found.size < inUse.size * SHARE_MIN',
    to: 'found.size < 0',
    tests: sourceTests,
  },
  {
    name: 'a_list_of_disposable_domains_may_hold_gmail',
    file: SOURCE,
    from: 'if (good) return',
    to: 'if (false) return',
    tests: sourceTests,
  },
  {
    name: 'a_relay_is_disposable',
    file: LISTS,
    from: 'const isSpared = relay || ',
    to: 'const isSpared = ',
    tests: listTests,
  },
  {
    name: 'a_relay_is_a_free_provider',
    file: LISTS,
    from: 'isBelow(domain, RELAYS)',
    to: 'false',
    tests: listTests,
  },
  {
    name: 'a_town_is_a_role',
    file: LISTS,
    from: 'for (const name of NO_ROLES) roles.delete(name);',
    to: '',
    tests: listTests,
  },
  {
    name: 'a_server_below_another_name_is_of_the_provider',
    file: 'workers/gateways/mail/lists/providers.ts',
    from: 'if (Object.hasOwn(names, name)) return names[name];',
    to: 'for (const one of Object.keys(names)) if (name.endsWith(one)) return names[one];',
    tests: ['test/email/validate_email.test.ts'],
    grep: 'lookalike',
  },
  {
    name: 'a_provider_that_accepts_every_mailbox_at_first_has_this_one',
    file: 'workers/gateways/mail/mail.ts',
    from: `isUnaskable ? 'provider_not_askable' : answer.finding`,
    to: `isUnaskable ? 'mailbox_accepted' : answer.finding`,
    tests: ['test/email/validate_email_probes.test.ts'],
    grep: 'accept every mailbox at first',
  },
  {
    name: 'an_answer_of_an_earlier_call_is_dated_today',
    file: 'shared/domains/email/validation.ts',
    from: 'isCached && askedAt !== null ? new Date(askedAt) : now',
    to: 'now',
    tests: ['test/email/validate_email_probes.test.ts'],
    grep: 'answer of an earlier call',
  },
];
