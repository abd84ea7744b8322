import type { HttpContext, Route } from '../../../http/routes.ts';
import { resultsStream, setCsvHeaders } from '../../../email_files/results_csv.ts';
import { readSentFile, type SentFile } from '../../../email_files/sent_file.ts';
import { uploadParts } from '../../../email_files/upload.ts';
import type { Perform } from '../../../http/calls.ts';
import { countCalls } from '../../../../shared/composition/invoke/count_calls.ts';
import { Refusal, refusalOf } from '../../../../shared/kernel/refusal.ts';
import type { WebSession } from '../../../../shared/domains/agents/sessions/sessions.ts';
import { callerOf, type Console } from '../../render.tsx';
import { currentSession } from '../../session/current.ts';
import { assertForm } from '../../session/form.ts';
import { assertSameOrigin } from '../../session/guard.ts';
import { sendLogin } from '../../session/login_routes.ts';
import { refusedOf, sendBack } from '../../show_again.ts';
import { EMAIL_LISTS, UPLOAD } from './paths.ts';

/** Files in and out, which the pages of email lists cannot do by an operation alone. */
export function emailListRoutes(console: Console): Route[] {
  return [
    { route: `POST ${UPLOAD}`, handle: (ctx) => upload(console, ctx) },
    { route: `GET ${EMAIL_LISTS}/:id/results.csv`, handle: (ctx) => download(console, ctx) },
  ];
}

async function upload(console: Console, ctx: HttpContext): Promise<void> {
  const { context } = console;
  assertSameOrigin(ctx, context.config.api.publicUrl);
  const session = await currentSession(context, ctx, 'owner');
  if (!session) return sendLogin(console, ctx, 'owner', { next: EMAIL_LISTS }, { status: 401 });
  await countCalls(context, { caller: session.caller, address: ctx.state.address });
  let sent: SentFile | undefined;
  const readFile = async () => {
    sent = await readSentFile(ctx);
    const form = formOf(sent);
    assertForm(form, session);
    return { ...sent, key: form._key?.[0] };
  };
  try {
    const perform = performAs(console, ctx, session);
    const answer = await uploadParts(perform, readFile, { isCounted: true });
    const { file_id } = JSON.parse(answer) as { file_id: number };
    ctx.status = 303;
    ctx.body = null;
    ctx.set('Location', `${EMAIL_LISTS}/${file_id}`);
  } catch (error) {
    const refusal = refusalOf(error);
    if (error !== refusal) throw error;
    const given = { ...(sent && formOf(sent)), _back: [EMAIL_LISTS] };
    const refused = refusedOf('upload_email_file', given, refusal);
    await sendBack(console, ctx, { kind: 'owner', session, refused, status: refusal.status });
  }
}

const formOf = ({ fields }: SentFile) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]));

async function download(console: Console, ctx: HttpContext): Promise<void> {
  const session = await currentSession(console.context, ctx, 'owner', { isPerson: true });
  if (!session) throw new Refusal('authentication_required', 'Sign in first.');
  const id = ctx.params?.id ?? '';
  const input = { file_id: /^\d{1,10}$/.test(id) ? Number(id) : id };
  ctx.body = await resultsStream(performAs(console, ctx, session), input, false);
  setCsvHeaders(ctx, id);
}

function performAs(console: Console, ctx: HttpContext, session: WebSession): Perform {
  const call = callerOf(console, ctx, session);
  return async (name, read, isCounted) => (await call(name, await read(), isCounted)).body;
}
