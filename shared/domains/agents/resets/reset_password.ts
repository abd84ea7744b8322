import { operation } from '../../../kernel/operation.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Input, Text } from '../../../kernel/schema.ts';
import { holdLiveKey } from '../own_keys.ts';
import { hashPassword } from '../passwords.ts';
import { refuseWeakPasswordOf } from '../weak_passwords/weak_passwords.ts';
import { insertReset, PasswordResetView, tell, viewOf } from './password_reset.ts';

export const resetPassword = operation({
  name: 'reset_password',
  title: 'Reset a lost password',
  summary:
    'Replaces a lost console password after 24 hours. The reset is announced, and until then any ' +
    'key of yours and anyone signed in can stop it.',
  access: 'owner',
  mode: 'write',
  rest: 'POST /api/v1/agent/password-reset',
  bindings: {
    // No tool: a model that is talked into calling it would give its owner's account away.
    tool: false,
  },
  stored: { secret: true },
  refusals: ['invalid_transition'],
  input: Input({ password: Text(8, 128, 'The new password.') }),
  output: PasswordResetView,

  /** Refuses before the costly hash; addresses take turns with that. */
  async prepare({ address, config, db, caller }: Tx, { password }) {
    await refuseWeakPasswordOf(db, caller.agentId, password);
    return { address: address ?? 'unknown', memoryKib: config.agents.passwordMemoryKib };
  },

  gather: (_gateways, { password }, _call, request) => hashPassword(password, request),

  async handle(tx, _input, passwordHash) {
    await holdLiveKey(tx);
    const { agentId, keyId } = tx.caller;
    const reset = await insertReset(tx.db, { agentId, keyId, passwordHash });
    if (!reset) {
      throw new Refusal(
        'invalid_transition',
        'A password reset waits already. Stop it before you request another.',
      );
    }
    await tell(tx.db, reset, 'agent.password_reset_asked');
    return viewOf(reset);
  },
});
