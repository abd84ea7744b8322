import { ChosenScopes } from '../../kernel/terms/scopes.ts';
import { holdLiveKey } from '../agents/own_keys.ts';
import { approvalOf } from '../approvals/ask_at_high.ts';
import { CALL_REFUSALS } from '../approvals/call_refusals.ts';
import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Nullable, Type, Usd } from '../../kernel/schema.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { fromUsd } from '../../kernel/money.ts';
import { setDailyLimit } from '../policies/set_daily_limit.ts';
import { Connection, connectionOf } from './connections.ts';
import { setScopes } from './set_scopes.ts';

export const updateConnection = operation({
  name: 'update_connection',
  title: 'Change a connection',
  summary:
    'Changes the scopes and the daily limit of an app that you allowed, within a second. The app ' +
    'need not sign in again. Absent fields keep their value. Free.',
  access: 'owner',
  mode: 'write',
  queue: 'money',
  rest: 'PATCH /api/v1/connections/:connection_id',
  bindings: { tool: false },
  effects: { idempotent: true },
  refusals: ['not_found', 'invalid_transition', ...CALL_REFUSALS],
  input: Input({
    connection_id: Id('The connection. See list_connections.'),
    scopes: Type.Optional(ChosenScopes('All scopes of the app from now on.')),
    daily_spend_limit: Type.Optional(
      Nullable(Usd('Maximum spend per UTC day in USD. 0: nothing. null: no limit.')),
    ),
  }),
  output: Connection.schema,

  async handle(tx, { connection_id, scopes, daily_spend_limit: limit }) {
    // Operations that allow the app again, or end it, take this lock first too.
    await lockTreasuries(tx.db, [tx.caller.rootId]);
    const connection = await connectionOf(tx, connection_id);
    if (connection.revoked_at) {
      throw new Refusal(
        'invalid_transition',
        'This connection was ended. The app has to ask you again.',
      );
    }
    // An approved call is performed by a worker, and its key was checked when it was made.
    if (!(await approvalOf(tx))) await holdLiveKey(tx);
    if (limit !== undefined) {
      await setDailyLimit(tx, connection.agent_id, limit === null ? null : fromUsd(limit));
    }
    if (scopes) await setScopes(tx, { ...connection, id: connection_id }, scopes);
    return Connection.show(await connectionOf(tx, connection_id));
  },
});
