import type { HttpContext } from '../../api/http/routes.ts';
import { provesAgain } from '../../shared/agents/sessions/sign_in.ts';
import type { WebSession } from '../../shared/agents/sessions/sessions.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { renew } from './current.ts';

/** Takes a fresh proof of a session's person. Returns its new token. */
export async function prove(
  context: Context,
  ctx: HttpContext,
  session: WebSession,
  secret: string,
): Promise<string> {
  const { address } = ctx.state;
  if (await provesAgain(context, session, { secret, address })) return renew(context, ctx, session);
  throw new Refusal('invalid_key', 'That is not the password, so nothing was done.');
}
