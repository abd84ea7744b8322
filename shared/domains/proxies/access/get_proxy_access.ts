import { operation } from '../../../kernel/operation.ts';
import { Input, Output } from '../../../kernel/schema.ts';
import { ACCESS_FIELDS, findAccess } from './access_view.ts';

export const getProxyAccess = operation({
  name: 'get_proxy_access',
  title: 'Show access to the rotating proxies',
  summary:
    'Shows the addresses whose clients use the rotating proxies at your cost without a password, ' +
    'and why your last connection was refused. It does not show the proxy key. Free.',
  phrasings: `
    why was my proxy connection refused; last error of the rotating gateway; which IPs are on the
    allow list of my proxies; whitelisted addresses; show allowed source addresses; SOCKS error
    explained; reason of the last proxy refusal`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/proxy/access',
  input: Input({}),
  output: Output('ProxyAccess', ACCESS_FIELDS),

  handle: ({ db, caller }) => findAccess(db, caller.agentId),
});
