import { operation } from '../../../kernel/operation.ts';
import { Input } from '../../../kernel/schema.ts';
import { findOrMakeKey, ProxyKeyView } from './keys.ts';

export const proxyMyKey = operation({
  name: 'proxy_my_key',
  title: 'Get my proxy key',
  summary:
    'Shows your personal key for the rotating SOCKS5 door, which takes it as password. For ' +
    'single proxies, use proxy_list. The key is free, its use is metered.',
  phrasings: `
    password of the rotating gateway; my SOCKS5 login, host and port; endpoint that changes the
    IP with each connection; credentials for the proxy gateway; what is my personal socks5
    secret; reveal token that unlocks my IPs; username and password for the rotating proxy; how
    do I log in to the SOCKS door; my proxy credentials; key for socks5h in curl; my proxy
    password; how to authenticate at the proxy; personal SOCKS5 key; token for the rotating
    proxy; show my proxy login; connect to the rotating proxy; key to use proxies; reveal my
    secret for socks; proxy user and pass; what do I type as proxy password; my token for socks;
    set up curl with the rotating proxy; how to sign in to the gateway; where is my proxy secret`,
  access: 'any',
  mode: 'write',
  rest: 'GET /api/v1/proxy/my-key',
  effects: { idempotent: true },
  stored: { secret: true },
  input: Input({}),
  output: ProxyKeyView,

  handle: (tx) => findOrMakeKey(tx),
});
