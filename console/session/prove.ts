import type { HttpContext } from '../../api/http/routes.ts';
import { provesAgain } from '../../shared/agents/sessions/sign_in.ts';
import type { WebSession } from '../../shared/agents/sessions/sessions.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import type { Given } from '../shown.ts';
import { renew } from './current.ts';
import { oneOf } from './form.ts';
import { ownerOfAnswer } from './webauthn.ts';

/**
 * Takes the fresh proof of a session's person that a form came with: a password, a code, a passkey.
 * Returns its new token; undefined: there is none in the form.
 */
export async function proofIn(
  context: Context,
  ctx: HttpContext,
  session: WebSession,
  given: Given,
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
  throw new Refusal('invalid_key', 'That is not the password, so nothing was done.');
}
