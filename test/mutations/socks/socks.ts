import type { Mutation } from '../mutation.ts';

const attemptTests = ['test/api/socks/attempts.test.ts'];
const connectionTests = ['test/api/socks/connections.test.ts'];
const outageTests = ['test/api/socks/outages.test.ts'];
const refusalTests = ['test/api/socks/refusals.test.ts'];
const serverTests = ['test/api/socks/server.test.ts'];
const TARGETS = 'api/socks/targets.ts';
const TUNNEL = 'api/socks/tunnel.ts';
const REGISTRY = 'api/socks/admission/connections.ts';

/** The SOCKS5 server: logins, targets, limits and what a connection costs. */
export const SOCKS: readonly Mutation[] = [
  {
    name: 'a_client_needs_no_login',
    file: 'shared/domains/proxies/sale/key_owners.ts',
    from: "where p.address = $1'",
    to: "where p.address <> $1'",
    tests: ['test/api/socks/http/allowed_addresses.test.ts'],
    grep: 'from another address',
  },
  {
    name: 'a_user_name_that_is_not_understood_asks_for_nothing',
    file: 'api/socks/user_name.ts',
    from: 'value.length > charsMax || !pattern.test(value)',
    to: 'value.length > 200',
    tests: refusalTests,
    grep: 'status 2',
  },
  {
    name: 'a_session_leaves_by_a_proxy_that_moved',
    file: 'shared/domains/proxies/sale/find_proxies.ts',
    from: "(city === undefined || proxy.city?.toLowerCase().replaceAll(' ', '-') === city)",
    to: '(city === undefined || proxy.city !== null)',
    tests: ['test/api/socks/options.test.ts'],
    grep: 'no other one',
  },
  {
    name: 'a_suspended_agent_keeps_its_connections',
    file: 'shared/domains/proxies/sale/key_owners.ts',
    from: `above.id = any (a.lineage) and above.status = 'suspended'`,
    to: `above.id = any (a.lineage) and above.status = 'ended'`,
    tests: connectionTests,
    grep: 'its agent is suspended',
  },
  {
    name: 'a_replaced_key_keeps_its_connections',
    file: REGISTRY,
    from: `if (!valid.has(connection)) connection.ended.abort('no_longer_allowed');`,
    to: '',
    tests: connectionTests,
    grep: 'its key is replaced',
  },
  {
    name: 'connections_stay_open_while_their_keys_cannot_be_checked',
    file: REGISTRY,
    from: `if (performance.now() - checkedAt > uncheckedMs) endAll('database_away');`,
    to: '',
    tests: outageTests,
    grep: 'away for too long',
  },
  {
    name: 'a_target_may_be_a_private_address',
    file: TARGETS,
    from: `kindOf(name) === 'public'`,
    to: `kindOf(name) !== 'loopback'`,
    tests: refusalTests,
    grep: 'that is not public',
  },
  {
    name: 'a_target_may_have_an_internal_name',
    file: TARGETS,
    from: ' && !INTERNAL.test(name);',
    to: ';',
    tests: refusalTests,
    grep: 'internal names',
  },
  {
    name: 'a_name_with_the_dot_of_its_root_is_no_name',
    file: TARGETS,
    from: `host.toLowerCase().replace(/\\.$/, '')`,
    to: 'host.toLowerCase()',
    tests: serverTests,
    grep: 'however it is written',
  },
  {
    name: 'a_target_may_have_any_port',
    file: 'api/socks/connect.ts',
    from: '!ports.includes(requested.port)',
    to: 'ports.length === 0',
    tests: refusalTests,
    grep: 'ports that are not for sale',
  },
  {
    name: 'a_repeated_sale_is_charged_again',
    file: 'shared/domains/proxies/sale/sell_connection.ts',
    from: `made ?? (await charge(tx, { service: 'proxy', units: 1 }))`,
    to: `await charge(tx, { service: 'proxy', units: 1 })`,
    tests: connectionTests,
    grep: 'charged once',
  },
  {
    name: 'a_sale_of_unknown_outcome_is_not_repeated',
    file: 'shared/domains/proxies/sale/connections.ts',
    from: `error instanceof LostCommit || violated`,
    to: 'violated',
    tests: ['test/faults/lost_commits.test.ts'],
  },
  {
    name: 'a_connection_that_its_proxy_closed_is_paid_for',
    file: TUNNEL,
    from: 'if (isClosed || signal.aborted) {',
    to: 'if (signal.aborted) {',
    tests: connectionTests,
    grep: 'costs nothing|not paid for',
    equivalent: 'It is relayed without a byte then, and refunded as one of a dead proxy.',
  },
  {
    name: 'a_client_that_disconnected_pays',
    file: TUNNEL,
    from: 'if (isClosed || signal.aborted) {',
    to: 'if (isClosed) {',
    tests: ['test/api/socks/race.test.ts'],
    grep: 'while it is charged',
  },
  {
    name: 'a_connection_is_answered_before_it_is_paid_for',
    file: TUNNEL,
    from: `log.charge = await chargeConnection(context, buyer);
    crashPoint('S1');`,
    to: `protocol.accept();
    log.charge = await chargeConnection(context, buyer);
    crashPoint('S1');`,
    tests: ['test/api/socks/race.test.ts', 'test/api/socks/server.test.ts'],
  },
  {
    name: 'an_agent_that_cannot_pay_has_proxies_dialled',
    file: 'shared/domains/proxies/sale/find_proxies.ts',
    from: `await assertChargeable(tx, { service: 'proxy', units: 1 });`,
    to: '',
    tests: refusalTests,
    grep: 'cannot pay|suspended',
  },
  {
    name: 'all_proxies_of_the_pool_are_dialled',
    file: 'shared/domains/proxies/sale/find_proxies.ts',
    from: 'const PROXIES_MAX = 3;',
    to: 'const PROXIES_MAX = 5;',
    tests: attemptTests,
    grep: 'up to three',
  },
  {
    name: 'a_proxy_that_did_not_greet_is_not_checked',
    file: 'api/socks/tunnel.ts',
    from: 'for (const proxy of dead) rechecks.add(proxy.id);',
    to: '',
    tests: attemptTests,
    grep: 'requests a check of that one',
  },
  {
    name: 'a_session_is_shared_by_agents',
    file: 'shared/domains/proxies/sale/sessions.ts',
    from: "`${agentId}/${country ?? ''}/${name}`",
    to: "`${country ?? ''}/${name}`",
    tests: serverTests,
    grep: 'of its own for each',
  },
  {
    name: 'a_session_forgets_its_proxy',
    file: TUNNEL,
    from: 'if (session) keepProxy(context, session, proxy.id);',
    to: '',
    tests: serverTests,
    grep: 'whatever is added to the pool',
  },
  {
    name: 'the_log_names_the_target_of_a_connection',
    file: 'api/socks/protocols/socks5.ts',
    from: 'log.port = target.port;',
    to: 'Object.assign(log, target);',
    tests: ['test/api/socks/processes.test.ts'],
    grep: 'logs one line',
  },
];
