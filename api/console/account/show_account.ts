import type { HttpContext } from '../../http/routes.ts';
import { findBegun, hasAppCodes } from '../../../shared/domains/agents/factors/app_codes.ts';
import { listPasskeys } from '../../../shared/domains/agents/factors/passkeys.ts';
import { countRecoveryCodes } from '../../../shared/domains/agents/factors/recovery_codes.ts';
import { listSessions } from '../../../shared/domains/agents/sessions/list_sessions.ts';
import type { WebSession } from '../../../shared/domains/agents/sessions/sessions.ts';
import { addressOf } from '../../../shared/domains/agents/addresses/addresses.ts';
import { didYouMean } from '../../../shared/domains/email/did_you_mean.ts';
import { digestOf } from '../../../shared/domains/mail/digest_choice.ts';
import { refusedAddresses } from '../../../shared/domains/mail/refused_addresses.ts';
import { kindsOff } from '../../../shared/domains/mail/unsubscribe.ts';
import { readWaiting, sendPage, type Console } from '../render.tsx';
import { askForNew, takesPasskeys } from '../session/webauthn.ts';
import type { PageState } from '../page_state.ts';
import { accountPage, type AccountAnswers } from './account.tsx';
import type { ChangeResult } from './change.ts';

interface PageExtras {
  readonly more?: ChangeResult;
  readonly refused?: PageState['refused'];
  readonly status?: number;
}

/** Sends the account page, with the result of one of its forms. */
export async function showAccount(
  console: Console,
  ctx: HttpContext,
  session: WebSession,
  { more, refused, status }: PageExtras = {},
): Promise<void> {
  const { said, recovery, settings = session.settings } = more ?? {};
  const [sessions, codes, passkeys, mail, waiting] = await Promise.all([
    listSessions(console.context.database, session),
    appCodesOf(console, session),
    passkeysOf(console, session),
    mailOf(console, session),
    readWaiting(console, ctx, session),
  ]);
  const answers: AccountAnswers = {
    said,
    sessions,
    current: session.id,
    codes: { ...codes, recovery },
    passkeys,
    mail,
  };
  const asked = { params: {}, query: {} };
  const shown = { ...session, settings };
  const request = { page: accountPage, asked, url: accountPage.path, session: shown, refused };
  sendPage(console, ctx, request, { ...answers, ...waiting }, status);
}

/** A secret is shown only after a proof, so not to a browser that was left open. */
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

async function mailOf({ context }: Console, { caller }: WebSession) {
  const { database, config } = context;
  const [owner, off, digest] = await Promise.all([
    addressOf(database, caller.agentId),
    kindsOff(database, caller.agentId),
    digestOf(database, caller.agentId),
  ]);
  if (!owner) return undefined;
  const { address, isProven, asked } = owner;
  const meant = isProven ? undefined : didYouMean(asked ?? address);
  const addresses = asked === undefined ? [address] : [address, asked];
  const refused = await refusedAddresses(database, caller.agentId, addresses);
  return { mode: config.mail.mode, address, isProven, asked, meant, off, digest, refused };
}
