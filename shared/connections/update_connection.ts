import { SCOPES } from '../agents/agents.ts';
import { holdLiveKey } from '../agents/own_keys.ts';
import { approvalOf } from '../approvals/ask_at_high.ts';
import { CALL_REFUSALS } from '../approvals/call_refusals.ts';
import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, Nullable, OneOf, Type, Usd } from '../kernel/schema.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { fromUsd } from '../ledger/money.ts';
import { setDailyLimit } from '../policies/set_daily_limit.ts';
import { connectionOf, ConnectionView, viewOf } from './connections.ts';
import { setScopes } from './set_scopes.ts';

export const updateConnection = operation({
  name: 'update_connection',
  title: 'Change a connection',
  summary:
    'Sets what an app that you allowed may do, and what it may spend in a UTC day. The app need ' +
    'not sign in again. What is absent stays. It holds within a second everywhere. Free.',
  access: 'owner',
  mode: 'write',
  domain: 'connections',
  queue: 'money',
  rest: 'PATCH /api/v1/connections/:connection_id',
  tool: false,
  idempotent: true,
  refusals: ['not_found', 'invalid_transition', ...CALL_REFUSALS],
  input: Input({
    connection_id: Id('From list_connections.'),
    scopes: Type.Optional(
      Type.Array(OneOf(SCOPES, 'What it may do.'), {
        minItems: 1,
        maxItems: SCOPES.length,
        uniqueItems: true,
        description: 'All that it may do from now on.',
      }),
    ),
    daily_spend_limit: Type.Optional(
      Nullable(Usd('The most that a UTC day may cost, in USD. 0: nothing. null: no limit.')),
    ),
  }),
  output: ConnectionView,

  async handle(tx, { connection_id, scopes, daily_spend_limit: limit }) {
    // Whoever allows the app again, or ends it, takes this lock first too.
    await lockTreasuries(tx.db, [tx.caller.rootId]);
    const connection = await connectionOf(tx, connection_id);
    if (connection.revoked_at) {
      throw new Refusal('invalid_transition', 'It was ended. The app has to ask you again.');
    }
    // A worker performs what was approved, and the key of that call was looked at then.
    if (!(await approvalOf(tx))) await holdLiveKey(tx);
    if (limit !== undefined) {
      await setDailyLimit(tx, connection.agent_id, limit === null ? null : fromUsd(limit));
    }
    if (scopes) await setScopes(tx, connection, scopes);
    return viewOf(await connectionOf(tx, connection_id));
  },
});
