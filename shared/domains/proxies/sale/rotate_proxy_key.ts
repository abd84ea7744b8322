import { operation } from '../../../kernel/operation.ts';
import { Input, Nullable, Output, Text } from '../../../kernel/schema.ts';
import { PROXY_KEY_FIELDS, replaceKey } from './keys.ts';

export const rotateProxyKey = operation({
  name: 'rotate_proxy_key',
  title: 'Replace my proxy key',
  summary:
    'Replaces your personal key for the rotating SOCKS5 door. The old one is invalid at once. ' +
    'Free. With an idempotency key a repeat replaces nothing.',
  phrasings: `
    new password for the proxy gateway; my proxy key leaked, replace it; change the SOCKS
    password; reset my SOCKS secret; somebody else uses my proxy password; regenerate the proxy
    key; new credentials for the gateway, revoke the old; change proxy key; new proxy
    credentials; reset proxy password; invalidate my old socks key; proxy key was stolen; I
    pasted my proxy key in public; give me a different proxy password; make the old proxy
    password useless; refresh my proxy credentials`,
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/proxy/my-key/rotate',
  effects: { destructive: true },
  input: Input({}),
  output: Output('RotatedProxyKey', {
    ...PROXY_KEY_FIELDS,
    key: Nullable(Text(1, 100, 'The new one; null in a repeat. proxy_my_key shows it.')),
  }),
  stored: { redact: (result) => ({ ...result, key: null }) },

  handle: (tx) => replaceKey(tx),
});
