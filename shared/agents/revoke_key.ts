import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, Output } from '../kernel/schema.ts';
import { SCOPES } from './agents.ts';
import { findKey, KEY_FIELDS, lockLiveKeys, revoke, viewOf } from './own_keys.ts';

export const revokeKey = operation({
  name: 'revoke_key',
  title: 'Revoke a key',
  summary: 'Ends an API key for good. It stops working within a second. Repeating it is harmless.',
  access: 'owner',
  mode: 'write',
  domain: 'agents',
  rest: 'DELETE /api/v1/agent/keys/:key_id',
  tool: false,
  destructive: true,
  idempotent: true,
  input: Input({ key_id: Id('From list_keys.') }),
  output: Output(KEY_FIELDS),

  async handle(tx, { key_id }) {
    const live = await lockLiveKeys(tx);
    const key = await findKey(tx, key_id);
    if (key.revoked_at) return viewOf(key);
    // Without such a key nobody could make another one.
    const others = live.filter(({ id }) => id !== key_id);
    if (!others.some(({ scopes }) => SCOPES.every((scope) => scopes.includes(scope)))) {
      throw new Refusal(
        'forbidden',
        'This is the last key that allows everything. Create another such key, or rotate this one.',
      );
    }
    return viewOf(await revoke(tx, key));
  },
});
