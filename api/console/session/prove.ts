import type { HttpContext } from '../../http/routes.ts';
import { provesAgain } from '../../../shared/domains/agents/sessions/sign_in.ts';
import type { WebSession } from '../../../shared/domains/agents/sessions/sessions.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import type { FormFields } from '../page_state.ts';
import { renew } from './current.ts';
import { oneOf } from './form.ts';
import { ownerOfAnswer } from './webauthn.ts';

/**
 * Takes the fresh proof that a form came with: a password, a code, a passkey. Returns the session's
 * new token; undefined: the form has no proof.
 */
export async function proofIn(
  context: Context,
  ctx: HttpContext,
  session: WebSession,
  given: FormFields,
): Promise<string | undefined> {
  const passkey = oneOf(given, '_passkey');
  const secret = oneOf(given, '_secret');
  if (passkey !== '' && session.caller.operator === undefined) {
    await ownerOfAnswer(context, passkey, session);
    return renew(context, ctx, session);
  }
  if (secret === '') return undefined;
  const { address } = ctx.state;
  if (await provesAgain(context, session, { secret, address })) return renew(context, ctx, session);
  throw new Refusal('invalid_key', 'The password is wrong, so nothing was done.');
}
