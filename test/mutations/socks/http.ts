import type { Mutation } from '../mutation.ts';

const proxyTests = ['test/api/socks/http/http_proxy.test.ts'];
const refusalTests = ['test/api/socks/http/http_refusals.test.ts'];
const allowedTests = ['test/api/socks/http/allowed_addresses.test.ts'];
const addressTests = ['test/proxies/set_proxy_addresses.test.ts'];
const HEAD = 'api/socks/http/head.ts';

/** The rotating proxies over HTTP, and addresses that stand for a key. */
export const HTTP_PROXY: readonly Mutation[] = [
  {
    name: 'a_second_request_reaches_the_target_of_the_first',
    file: 'api/socks/http/request_body.ts',
    from: 'taken > 0 ? chunk.subarray(0, taken) : undefined',
    to: 'chunk',
    tests: proxyTests,
    grep: 'second request',
  },
  {
    name: 'the_target_of_a_request_gets_its_proxy_key',
    file: HEAD,
    from: `name.startsWith('proxy-') || HOP_BY_HOP.includes(name)`,
    to: 'HOP_BY_HOP.includes(name)',
    tests: proxyTests,
    grep: 'for proxies alone',
  },
  {
    name: 'a_request_loses_its_length_on_the_way',
    file: HEAD,
    from: 'if (FRAMING.includes(name)) return true;',
    to: '',
    tests: proxyTests,
    grep: 'second request',
  },
  {
    name: 'two_lengths_of_a_request_are_taken',
    file: HEAD,
    from: 'if (length !== undefined) throw',
    to: 'if (length === null) throw',
    tests: refusalTests,
    grep: 'two readers',
  },
  {
    name: 'a_field_of_a_request_may_be_there_twice',
    file: HEAD,
    from: 'if (valuesOf(fields, name).length > 1) throw',
    to: 'if (valuesOf(fields, name).length > 2) throw',
    tests: refusalTests,
    grep: 'two readers',
  },
  {
    name: 'the_head_of_a_request_may_have_any_length',
    file: HEAD,
    from: '(end < 0 ? text.length : end) > HEAD_MAX',
    to: '(end < 0 ? text.length : end) < 0',
    tests: refusalTests,
    grep: '16 KiB',
  },
  {
    name: 'an_answer_keeps_the_connection_of_its_client',
    file: 'api/socks/http/response_head.ts',
    from: `...(isInterim ? [] : ['Connection: close'])`,
    to: '...[]',
    tests: proxyTests,
    grep: 'own connection and about proxies',
  },
  {
    name: 'an_address_makes_up_for_a_wrong_key',
    file: 'api/socks/protocols/login.ts',
    from: `password === ''`,
    to: `password !== ' '`,
    tests: allowedTests,
    grep: 'makes up for a wrong one',
  },
  {
    name: 'an_address_off_the_list_keeps_its_connections',
    file: 'shared/domains/proxies/sale/key_owners.ts',
    from: '(login.address is null or exists (',
    to: '(true or exists (',
    tests: allowedTests,
    grep: 'taken off the list',
  },
  {
    name: 'the_address_of_another_key_is_taken_over',
    file: 'shared/domains/proxies/access/set_proxy_addresses.ts',
    from: 'on conflict do nothing',
    to: 'on conflict (address) do update set agent_id = excluded.agent_id',
    tests: addressTests,
    grep: 'one key only',
  },
  {
    name: 'a_private_address_stands_for_a_key',
    file: 'shared/domains/proxies/access/set_proxy_addresses.ts',
    from: `kindOf(address) === 'public'`,
    to: `kindOf(address) !== 'loopback'`,
    tests: addressTests,
    grep: 'nothing else',
  },
];
