import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, invalid, Output, Text, Type } from '../../kernel/schema.ts';
import { PublicLine } from '../../kernel/text.ts';
import { ChosenScopes } from '../../kernel/terms/scopes.ts';
import { makeKey, NewKey, shown, withoutKey } from './keys.ts';
import { KeyView, lockLiveKeys, viewOf } from './own_keys.ts';
import { visibleAgent } from './tree/below.ts';

const LIVE_KEYS_MAX = 100;

export const createKey = operation({
  name: 'create_key',
  title: 'Create a key',
  summary:
    'Creates another API key, for you or an agent below, with the scopes and expiry you choose. ' +
    'Shown once.',
  access: 'owner',
  mode: 'write',
  rest: 'POST /api/v1/agent/keys',
  bindings: { tool: false },
  refusals: ['not_found'],
  input: Input({
    agent_id: Type.Optional(Id('An agent below; you if absent.')),
    name: Type.Optional(PublicLine(Text(1, 64, 'Name of the key; "unnamed" if absent.'))),
    scopes: ChosenScopes('Scopes of the key: as few as it needs.'),
    expires_at: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 40,
        description: 'Expiry time; works until revoked if absent.',
      }),
    ),
  }),
  defaults: { name: 'unnamed' },
  output: Output('CreatedKey', { ...KeyView.schema.properties, api_key: NewKey }),
  stored: { redact: withoutKey },

  async handle(tx, { agent_id, name = 'unnamed', scopes, expires_at }) {
    const expiresAt = expires_at === undefined ? null : futureOf(expires_at, tx.now);
    const agentId = await visibleAgent(tx, agent_id);
    const live = await lockLiveKeys(tx, agentId);
    if (live.length >= LIVE_KEYS_MAX) {
      throw new Refusal(
        'forbidden',
        `An agent has at most ${LIVE_KEYS_MAX} working keys. Revoke one that is not used.`,
      );
    }
    const { key, row } = await makeKey(tx, {
      agentId,
      name,
      scopes,
      expiresAt,
    });
    return { ...viewOf(row), api_key: shown(key) };
  },
});

function futureOf(text: string, now: Date): Date {
  const time = new Date(text);
  if (time > now) return time;
  throw invalid([{ pointer: '/expires_at', message: 'must be in the future' }]);
}
