import { operation } from '../../kernel/operation.ts';
import { Input } from '../../kernel/schema.ts';
import { PasswordResetView, stopReset, viewOf } from './password_reset.ts';

export const stopPasswordReset = operation({
  name: 'stop_password_reset',
  title: 'Stop a reset of the password',
  summary:
    'Stops the reset of your password that waits: the one from before stays. Any key of the owner ' +
    'may, until it takes effect.',
  access: 'any',
  mode: 'write',
  domain: 'agents',
  rest: 'DELETE /api/v1/agent/password-reset',
  tool: false,
  refusals: ['not_found'],
  input: Input({}),
  output: PasswordResetView,

  handle: async (tx) => viewOf(await stopReset(tx.db, tx.caller.agentId)),
});
