import { operation, type Tx } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Input, Text } from '../../kernel/schema.ts';
import { holdLiveKey } from '../own_keys.ts';
import { hashPassword } from '../passwords.ts';
import { insertReset, PasswordResetView, tell, viewOf } from './password_reset.ts';

export const resetPassword = operation({
  name: 'reset_password',
  title: 'Reset a lost password',
  summary:
    'Gives the console another password in 24 hours, in place of one that was lost. It is ' +
    'announced, and any key of yours or whoever is signed in may stop it until then.',
  access: 'owner',
  mode: 'write',
  domain: 'agents',
  rest: 'POST /api/v1/agent/password-reset',
  // A model that is talked into it would give its owner's account away.
  tool: false,
  secret: true,
  refusals: ['invalid_transition'],
  input: Input({ password: Text(8, 128, 'The new one.') }),
  output: PasswordResetView,

  /** From where it is asked: addresses take turns with what is hashed. */
  prepare: async ({ address, config }: Tx) => ({
    address: address ?? 'unknown',
    memoryKib: config.agents.passwordMemoryKib,
  }),

  gather: (_gateways, { password }, _call, request) => hashPassword(password, request),

  async handle(tx, _input, passwordHash) {
    await holdLiveKey(tx);
    const { agentId, keyId } = tx.caller;
    const reset = await insertReset(tx.db, { agentId, keyId, passwordHash });
    if (!reset) {
      throw new Refusal('invalid_transition', 'A reset waits already. Stop it to ask for another.');
    }
    await tell(tx.db, reset, 'agent.password_reset_asked');
    return viewOf(reset);
  },
});
