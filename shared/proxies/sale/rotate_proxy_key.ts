import { operation } from '../../kernel/operation.ts';
import { Input, Nullable, Output, Text } from '../../kernel/schema.ts';
import { PROXY_KEY_FIELDS, replaceKey } from './keys.ts';

export const rotateProxyKey = operation({
  name: 'rotate_proxy_key',
  title: 'Replace my proxy key',
  summary:
    'Replaces your personal key for the rotating SOCKS5 door. The old one ends for good at once. ' +
    'Free. With an idempotency key it is replaced once however often you repeat the call.',
  access: 'any',
  mode: 'write',
  domain: 'proxies',
  rest: 'POST /api/v1/proxy/my-key/rotate',
  destructive: true,
  input: Input({}),
  output: Output('RotatedProxyKey', {
    ...PROXY_KEY_FIELDS,
    key: Nullable(Text(1, 100, 'The new one; null in a repeat. proxy_my_key shows it.')),
  }),
  redact: (result) => ({ ...result, key: null }),

  handle: (tx) => replaceKey(tx),
});
