import { operation } from '../../kernel/operation.ts';
import { Input } from '../../kernel/schema.ts';
import { ProxyKeyView, replaceKey } from './keys.ts';

export const rotateProxyKey = operation({
  name: 'rotate_proxy_key',
  title: 'Replace my proxy key',
  summary:
    'Replaces your personal key for the rotating SOCKS5 door. The old one ends for good at once. ' +
    'Free.',
  access: 'any',
  mode: 'write',
  domain: 'proxies',
  rest: 'POST /api/v1/proxy/my-key/rotate',
  destructive: true,
  secret: true,
  input: Input({}),
  output: ProxyKeyView,

  handle: (tx) => replaceKey(tx),
});
