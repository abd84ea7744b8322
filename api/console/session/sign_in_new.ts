import { signIn } from '../../../shared/domains/agents/sessions/sign_in.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import type { HttpContext } from '../../http/routes.ts';
import type { FormFields } from '../page_state.ts';
import type { Console } from '../render.tsx';
import { cookiesOf, mayTakePasswords, readCookie } from './cookies.ts';
import { currentSession, giveDevice, giveSession } from './current.ts';
import { oneOf } from './form.ts';

/** Whether the account of a form exists: if the password is right too, the form was sent twice. */
export const isRegistered = ({ code, details }: Refusal): boolean => {
  const { fields = [] } = details as { fields?: readonly { pointer: string; message: string }[] };
  const isTaken = (pointer: string) =>
    fields.some((one) => one.pointer === pointer && one.message === 'is taken');
  return code === 'validation_error' && isTaken('/username') && isTaken('/email');
};

/** Signs in the owner of a form for registering, unless somebody is signed in here. */
export async function signInNew(
  { context }: Console,
  ctx: HttpContext,
  given: FormFields,
): Promise<boolean> {
  const { publicUrl } = context.config.api;
  if (!mayTakePasswords(publicUrl) || (await currentSession(context, ctx, 'owner'))) return false;
  try {
    const made = await signIn(context, {
      kind: 'owner',
      name: oneOf(given, 'username').trim(),
      secret: oneOf(given, 'password'),
      known: readCookie(ctx.req, cookiesOf(publicUrl).device),
      device: ctx.req.headers['user-agent'] ?? '',
      address: ctx.state.address,
    });
    if ('ticket' in made) return false;
    giveSession(context, ctx, 'owner', made.token);
    giveDevice(context, ctx, made.known);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
