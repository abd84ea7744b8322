import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Output } from '../../kernel/schema.ts';
import { makeKey, NewKey, shown, withoutKey } from './keys.ts';
import { KeyView, lockKey, revoke, viewOf } from './own_keys.ts';
import { endProxyKey, EndProxyKey, ProxyKeyState } from './proxy_key_readers.ts';

export const rotateKey = operation({
  name: 'rotate_key',
  title: 'Rotate a key',
  summary:
    'Replaces an API key of yours or of an agent below by a new one with the same name, scopes ' +
    'and expiry. The old key stops working within a second. The new key is shown once: call this ' +
    'with another key than the replaced one, or a lost answer locks you out.',
  access: 'owner',
  mode: 'write',
  rest: 'POST /api/v1/agent/keys/:key_id/rotate',
  bindings: { tool: false },
  effects: { destructive: true },
  refusals: ['not_found', 'invalid_transition'],
  input: Input({ key_id: Id('The key. See list_keys.'), end_proxy_key: EndProxyKey }),
  output: Output('RotatedKey', {
    ...KeyView.schema.properties,
    api_key: NewKey,
    proxy_key: ProxyKeyState,
  }),
  stored: { redact: withoutKey },

  async handle(tx, { key_id, end_proxy_key: end }) {
    const { key: old, live } = await lockKey(tx, key_id);
    if (old.revoked_at) {
      throw new Refusal('invalid_transition', 'This key was already revoked. Create a new one.');
    }
    if (!live.some(({ id }) => id === key_id)) {
      throw new Refusal('invalid_transition', 'This key has expired. Create a new one.');
    }
    await revoke(tx, old);
    const { name, scopes, agent_id: agentId, expires_at: expiresAt } = old;
    const { key, row } = await makeKey(tx, { agentId, name, scopes, expiresAt });
    const proxyKey = await endProxyKey(tx, { agentId, keyId: key_id, end });
    return { ...viewOf(row), api_key: shown(key), proxy_key: proxyKey };
  },
});
