import type { Mutation } from '../mutation.ts';
import { DOUBTED_HOSTS } from './doubts.ts';
import { GREYLISTING } from './greylisting.ts';
import { LISTS_OF_DOMAINS } from './lists.ts';
import { NAME_SERVERS } from './name_servers.ts';
import { PROBES } from './probes.ts';
import { REPLIES } from './replies.ts';

const tests = ['test/email/validate_email.test.ts'];
const callTests = ['test/email/validate_email_calls.test.ts'];
const batchTests = ['test/email/validate_emails.test.ts'];
const routeTests = ['test/email/mail_routes.test.ts'];
const addressTests = ['test/kernel/mail_address.test.ts'];
const ROUTES = 'workers/gateways/mail/routes.ts';
const LISTS = 'workers/gateways/mail/lists/lists.ts';
const DOMAINS = 'workers/gateways/mail/lists/domains.ts';

/** Email validation: what it costs, what DNS and mail servers say, for how long it counts. */
export const EMAIL: readonly Mutation[] = [
  {
    name: 'what_could_not_be_found_out_is_charged',
    file: 'shared/domains/email/validate_email.ts',
    from: 'isAnswer(finding!) ? await charge(tx, ONE) : undefined',
    to: 'await charge(tx, ONE)',
    tests,
    grep: 'costs nothing where the name servers',
  },
  {
    name: 'an_answer_says_that_it_cost_nothing',
    file: 'shared/domains/email/validation.ts',
    from: 'isAnswer(findings) ? METERED.email.unitPrice : 0n',
    to: 'findings.mxFound ? METERED.email.unitPrice : 0n',
    tests,
  },
  {
    name: 'a_disposable_domain_is_deliverable',
    file: 'shared/domains/email/findings.ts',
    from: `status: disposable && status === 'deliverable' ? ('risky' as const) : status,`,
    to: 'status,',
    tests,
  },
  {
    name: 'a_disposable_domain_scores_like_others',
    file: 'shared/domains/email/findings.ts',
    from: 'disposable ? Math.min(points, 20) : points',
    to: 'points',
    tests,
  },
  {
    name: 'a_role_costs_no_points',
    file: 'shared/domains/email/findings.ts',
    from: '(role ? 10 : 0)',
    to: '0',
    tests,
  },
  {
    name: 'a_domain_below_a_disposable_one_is_clean',
    file: DOMAINS,
    from: `name.includes('.'); name = name.slice(name.indexOf('.') + 1)`,
    to: `name.includes('.'); name = ''`,
    tests,
  },
  {
    name: 'a_role_with_a_tag_is_a_person',
    file: LISTS,
    from: `local.toLowerCase().replace(/\\+.*/s, '')`,
    to: 'local.toLowerCase()',
    tests,
  },
  {
    name: 'a_caller_that_cannot_pay_has_look_ups_made',
    file: 'shared/domains/email/validate_email.ts',
    from: 'await assertChargeable(tx, ONE);',
    to: '',
    tests: callTests,
    grep: 'refuses before any look-up',
  },
  {
    name: 'an_address_that_is_listed_twice_is_paid_for_twice',
    file: 'shared/domains/email/validate_emails.ts',
    from: 'new Map(trimmedEmails.map((email) => [keyOf(email), email]))',
    to: 'new Map(trimmedEmails.map((email, n) => [n, email]))',
    tests: batchTests,
    grep: 'listed twice',
  },
  {
    name: 'a_batch_starts_with_money_for_one',
    file: 'shared/domains/email/validate_emails.ts',
    from: `{ service: 'email', units: distinct.length }`,
    to: `{ service: 'email', units: 1 }`,
    tests: batchTests,
    grep: 'not enough for all',
  },
  {
    name: 'addresses_beyond_the_money_are_answered',
    file: 'shared/domains/email/sale.ts',
    from: 'if (finding && left > 0) {',
    to: 'if (finding) {',
    tests: batchTests,
    grep: 'money runs out',
  },
  {
    name: 'a_batch_charges_for_what_could_not_be_found_out',
    file: 'shared/domains/email/sale.ts',
    from: 'findings.filter(isAnswer).length',
    to: 'findings.length',
    tests: batchTests,
    grep: 'in the order asked',
  },
  {
    name: 'one_null_mx_among_others_is_null_mx',
    file: ROUTES,
    from: 'records.every(({ value })',
    to: 'records.some(({ value })',
    tests: routeTests,
  },
  {
    name: 'mail_servers_are_asked_in_any_order',
    file: 'workers/gateways/dns/messages.ts',
    from: 'preference > record.preference',
    to: 'preference < record.preference',
    tests: routeTests,
  },
  {
    name: 'a_cached_route_never_expires',
    file: ROUTES,
    from: 'cached && cached.until > performance.now()',
    to: 'cached',
    tests: routeTests,
    grep: 'has expired',
  },
  {
    name: 'that_there_is_no_mail_server_is_cached_as_long_as_one',
    file: ROUTES,
    from: 'isFound ? cacheMs.found : cacheMs.missing',
    to: 'cacheMs.found',
    tests: routeTests,
    grep: 'has expired',
  },
  {
    name: 'a_failed_look_up_is_cached',
    file: ROUTES,
    from: 'if (isUnknown(route.kind)) return route;',
    to: '',
    tests: routeTests,
    grep: 'after a failure',
  },
  {
    name: 'name_servers_are_believed',
    file: ROUTES,
    from: 'MAY_BE_OUR_FAULT.has(route.kind) ? await isTruthful() : true;',
    to: 'true;',
    tests: routeTests,
    grep: 'is not known from name servers',
  },
  {
    name: 'a_domain_that_exists_for_certain_may_not_exist',
    file: ROUTES,
    from: `if (route.kind === 'no_such_domain' && isKnown(domain)) return { kind: 'dns_failure' };`,
    to: '',
    tests: routeTests,
    grep: 'exists for certain',
  },
  {
    name: 'an_address_counts_though_another_look_up_failed',
    file: ROUTES,
    from: `if (mx !== 'none') return { kind: mx };`,
    to: `if (mx === 'no_such_domain') return { kind: mx };`,
    tests: routeTests,
    grep: 'the look-up of mail servers failed',
  },
  {
    name: 'a_failed_look_up_of_addresses_is_an_answer',
    file: 'workers/gateways/mail/hosts.ts',
    from: `return failed ?? 'none';`,
    to: `return 'none';`,
    tests: routeTests,
  },
  {
    name: 'callers_of_one_domain_look_it_up_each',
    file: ROUTES,
    from: 'inFlight.set(key, answer);',
    to: '',
    tests: routeTests,
    grep: 'hundred callers',
  },
  {
    name: 'one_tree_has_all_look_ups',
    file: 'workers/gateways/dns/lookups.ts',
    from: 'share(trees, String(tree), lookupsMax / 2, Math.ceil(lookupsMax / 10))',
    to: 'share(trees, String(tree), lookupsMax, Math.ceil(lookupsMax / 10))',
    tests: ['test/email/lookups.test.ts'],
  },
  {
    name: 'one_zone_has_all_look_ups',
    file: 'workers/gateways/dns/lookups.ts',
    from: 'share(zones, zoneOf(domain), lookupsMax / 5, 1)',
    to: 'share(zones, zoneOf(domain), lookupsMax, 1)',
    tests: ['test/email/lookups.test.ts'],
  },
  {
    name: 'a_control_character_may_be_in_an_address',
    file: 'shared/kernel/mail_address.ts',
    from: '[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|',
    to: '[\\x00-\\x21\\x23-\\x5b\\x5d-\\x7e]|',
    tests: addressTests,
  },
  {
    name: 'an_account_for_each_spelling_of_an_address',
    file: 'shared/domains/agents/register_agent.ts',
    from: 'const email = canonical(mailbox);',
    to: 'const email = canonical(mailbox) && written;',
    tests: ['test/agents/register_email.test.ts'],
    grep: 'however it is spelled',
  },
  {
    name: 'a_domain_may_have_one_label',
    file: 'shared/kernel/mail_address.ts',
    from: `ascii.includes('.') && isHostName(ascii)`,
    to: 'isHostName(ascii)',
    tests: addressTests,
  },
  {
    name: 'a_domain_of_an_address_may_have_underscores',
    file: 'shared/kernel/mail_address.ts',
    from: " && !ascii.includes('_')",
    to: '',
    tests: addressTests,
  },
  {
    name: 'the_name_of_a_mailbox_is_read_as_policy',
    file: 'workers/gateways/mail/smtp/reply_statements.ts',
    from: ".replace(known, ' @name '))",
    to: ')',
    tests: ['test/email/smtp/reply_meaning.test.ts'],
  },
  {
    name: 'a_deferred_second_mailbox_proves_the_first',
    file: 'workers/gateways/mail/smtp/mailbox_check.ts',
    from: `return second === 'refused' ?`,
    to: `return second !== 'accepted' ?`,
    tests: ['test/email/smtp/mail_probe.test.ts'],
  },
  ...DOUBTED_HOSTS,
  ...GREYLISTING,
  ...LISTS_OF_DOMAINS,
  ...NAME_SERVERS,
  ...PROBES,
  ...REPLIES,
];
