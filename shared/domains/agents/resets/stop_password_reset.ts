import { operation } from '../../../kernel/operation.ts';
import { Input } from '../../../kernel/schema.ts';
import { PasswordResetView, stopReset, viewOf } from './password_reset.ts';

export const stopPasswordReset = operation({
  name: 'stop_password_reset',
  title: 'Stop a password reset',
  summary:
    'Stops the waiting reset of your password, so the present password stays. Any key of the ' +
    'owner can do so until the reset takes effect.',
  access: 'any',
  mode: 'write',
  rest: 'DELETE /api/v1/agent/password-reset',
  bindings: { tool: false },
  refusals: ['not_found'],
  input: Input({}),
  output: PasswordResetView,

  handle: async (tx) => viewOf(await stopReset(tx.db, tx.caller.agentId)),
});
