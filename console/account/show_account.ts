import type { HttpContext } from '../../api/http/routes.ts';
import { findBegun, hasAppCodes } from '../../shared/agents/factors/app_codes.ts';
import { listPasskeys } from '../../shared/agents/factors/passkeys.ts';
import { countRecoveryCodes } from '../../shared/agents/factors/recovery_codes.ts';
import { listSessions } from '../../shared/agents/sessions/list_sessions.ts';
import type { WebSession } from '../../shared/agents/sessions/sessions.ts';
import { readWaiting, sendPage, type Console } from '../render.tsx';
import { askForNew, takesPasskeys } from '../session/webauthn.ts';
import type { Shown } from '../shown.ts';
import { accountPage, type AccountAnswers } from './account.tsx';
import type { Done } from './change.ts';

interface More {
  readonly more?: Done;
  readonly refused?: Shown['refused'];
  readonly status?: number;
}

/** Sends the page of the account, with what became of one of its forms. */
export async function showAccount(
  console: Console,
  ctx: HttpContext,
  session: WebSession,
  { more, refused, status }: More = {},
): Promise<void> {
  const { said, recovery, settings = session.settings } = more ?? {};
  const [sessions, codes, passkeys, waiting] = await Promise.all([
    listSessions(console.context.database, session),
    appCodesOf(console, session),
    passkeysOf(console, session),
    readWaiting(console, ctx, session),
  ]);
  const answers: AccountAnswers = {
    said,
    sessions,
    current: session.id,
    codes: { ...codes, recovery },
    passkeys,
  };
  const asked = { params: {}, query: {} };
  const shown = { ...session, settings };
  const request = { page: accountPage, asked, url: accountPage.path, session: shown, refused };
  sendPage(console, ctx, request, { ...answers, ...waiting }, status);
}

/** A secret is shown to whoever has given a proof: not to a browser that was left open. */
async function appCodesOf({ context }: Console, { caller, name, isFresh }: WebSession) {
  const { database } = context;
  const { agentId } = caller;
  const app = { agentId, name, issuer: 'Agent Marketplace' };
  const [isOn, begun, recoveryLeft] = await Promise.all([
    hasAppCodes(database, agentId),
    isFresh ? findBegun(context, database, app) : undefined,
    countRecoveryCodes(database, agentId),
  ]);
  return { isOn, begun, recoveryLeft };
}

async function passkeysOf({ context }: Console, session: WebSession) {
  const areTaken = takesPasskeys(context.config.api.publicUrl);
  const [passkeys, asked] = await Promise.all([
    listPasskeys(context.database, session.caller.agentId),
    areTaken && session.isFresh ? askForNew(context, session) : undefined,
  ]);
  return { passkeys, asked, areTaken };
}
