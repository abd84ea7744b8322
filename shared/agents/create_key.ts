import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, invalid, OneOf, Output, Text, Type } from '../kernel/schema.ts';
import { ShownLine } from '../kernel/text.ts';
import { SCOPES } from './agents.ts';
import { makeKey, NewKey, shown, withoutKey } from './keys.ts';
import { KEY_FIELDS, lockLiveKeys, viewOf } from './own_keys.ts';
import { visibleAgent } from './tree/below.ts';

const LIVE_KEYS_MAX = 100;

export const createKey = operation({
  name: 'create_key',
  title: 'Create a key',
  summary:
    'Makes another API key, yours or of an agent below, that allows no more than it needs, for ' +
    'as long as it is needed. Shown once.',
  access: 'owner',
  mode: 'write',
  domain: 'agents',
  rest: 'POST /api/v1/agent/keys',
  tool: false,
  refusals: ['not_found'],
  input: Input({
    agent_id: Type.Optional(Id('Of this agent below; your own if absent.')),
    name: Type.Optional(ShownLine(Text(1, 64, 'To recognise it by; "unnamed" if absent.'))),
    scopes: Type.Array(OneOf(SCOPES, 'What it allows.'), {
      minItems: 1,
      maxItems: SCOPES.length,
      uniqueItems: true,
      description: 'As few as will do.',
    }),
    expires_at: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 40,
        description: 'Until when it works; until it is revoked if absent.',
      }),
    ),
  }),
  output: Output('CreatedKey', { ...KEY_FIELDS, api_key: NewKey }),
  redact: withoutKey,

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
    const { key, row } = await makeKey(tx.db, tx.secrets, {
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
  throw invalid([{ pointer: '/expires_at', message: 'is not a time to come' }]);
}
