import { operation } from '../../kernel/operation.ts';
import { Input } from '../../kernel/schema.ts';
import { findOrMakeKey, ProxyKeyView } from './keys.ts';

export const proxyMyKey = operation({
  name: 'proxy_my_key',
  title: 'Get my proxy key',
  summary:
    'Shows your personal key for the rotating SOCKS5 door, which takes it as password. The key is ' +
    'free, its use is metered.',
  access: 'any',
  mode: 'write',
  domain: 'proxies',
  rest: 'GET /api/v1/proxy/my-key',
  core: true,
  idempotent: true,
  secret: true,
  input: Input({}),
  output: ProxyKeyView,

  handle: (tx) => findOrMakeKey(tx),
});
