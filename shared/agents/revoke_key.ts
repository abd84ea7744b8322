import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, Output } from '../kernel/schema.ts';
import { SCOPES, type ApiKey } from './agents.ts';
import { KEY_FIELDS, lockKey, revoke, viewOf } from './own_keys.ts';
import { endProxyKey, EndProxyKey, ProxyKeyState } from './proxy_key_readers.ts';

export const revokeKey = operation({
  name: 'revoke_key',
  title: 'Revoke a key',
  summary:
    'Ends an API key, yours or of an agent below, for good. It stops working within a second. ' +
    'Repeating it is harmless. A proxy key that was read with it works on unless end_proxy_key is ' +
    'true.',
  access: 'owner',
  mode: 'write',
  domain: 'agents',
  rest: 'DELETE /api/v1/agent/keys/:key_id',
  tool: false,
  destructive: true,
  idempotent: true,
  refusals: ['not_found'],
  input: Input({ key_id: Id('From list_keys.'), end_proxy_key: EndProxyKey }),
  output: Output('RevokedKey', { ...KEY_FIELDS, proxy_key: ProxyKeyState }),

  async handle(tx, { key_id, end_proxy_key: end }) {
    const { key, live } = await lockKey(tx, key_id);
    const { agent_id: agentId } = key;
    const answer = async (revoked: ApiKey) => ({
      ...viewOf(revoked),
      proxy_key: await endProxyKey(tx, { agentId, keyId: key_id, end }),
    });
    if (key.revoked_at) return answer(key);
    // Without such a key nobody could make another one. Those of agents below are made by it.
    const others = live.filter(({ id }) => id !== key_id);
    const isOwn = agentId === tx.caller.agentId;
    if (isOwn && !others.some(isMaster)) {
      throw new Refusal(
        'forbidden',
        'This is the last key that allows everything and does not expire. Create another such key, ' +
          'or rotate this one.',
      );
    }
    return answer(await revoke(tx, key));
  },
});

const isMaster = ({ scopes, expires_at }: ApiKey) =>
  expires_at === null && SCOPES.every((scope) => scopes.includes(scope));
