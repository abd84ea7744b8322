import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Output } from '../../kernel/schema.ts';
import { type ApiKey } from './agents.ts';
import { SCOPES } from '../../kernel/caller.ts';
import { KeyView, lockKey, revoke, viewOf } from './own_keys.ts';
import { endProxyKey, EndProxyKey, ProxyKeyState } from './proxy_key_readers.ts';

export const revokeKey = operation({
  name: 'revoke_key',
  title: 'Revoke a key',
  summary:
    'Ends an API key of yours or of an agent below for good, within a second. ' +
    'Repeating it is harmless. A proxy key that was read with it works on unless end_proxy_key is ' +
    'true.',
  access: 'owner',
  mode: 'write',
  rest: 'DELETE /api/v1/agent/keys/:key_id',
  bindings: { tool: false },
  effects: { destructive: true, idempotent: true },
  refusals: ['not_found'],
  input: Input({ key_id: Id('The key. See list_keys.'), end_proxy_key: EndProxyKey }),
  output: Output('RevokedKey', { ...KeyView.schema.properties, proxy_key: ProxyKeyState }),

  async handle(tx, { key_id, end_proxy_key: end }) {
    const { key, live } = await lockKey(tx, key_id);
    const { agent_id: agentId } = key;
    const answer = async (revoked: ApiKey) => ({
      ...viewOf(revoked),
      proxy_key: await endProxyKey(tx, { agentId, keyId: key_id, end }),
    });
    if (key.revoked_at) return answer(key);
    // The last full key is needed to create others, also those of agents below.
    const others = live.filter(({ id }) => id !== key_id);
    const isOwn = agentId === tx.caller.agentId;
    if (isOwn && !others.some(isMaster)) {
      throw new Refusal(
        'forbidden',
        'This is your last key with all scopes and no expiry. Create another such key first, or ' +
          'rotate this one.',
      );
    }
    return answer(await revoke(tx, key));
  },
});

const isMaster = ({ scopes, expires_at }: ApiKey) =>
  expires_at === null && SCOPES.every((scope) => scopes.includes(scope));
