import type { HttpContext } from '../api/http/routes.ts';
import { findSession, type WebSession } from '../shared/agents/sessions/sessions.ts';
import { CODES, type Refusal } from '../shared/kernel/refusal.ts';
import { accountPage } from './account/account.tsx';
import { showAccount } from './account/show_account.ts';
import { matchPage } from './match.ts';
import type { PageAccess } from './page.ts';
import { readPage, sendPage, type Console } from './render.tsx';
import type { KeptForm } from './session/login.tsx';
import type { SessionKind } from './session/current.ts';
import { oneOf } from './session/form.ts';
import type { Given, Shown } from './shown.ts';

/** Shows the page of a form with what was filled in, after its person has signed in again. */
export async function showAgain(
  console: Console,
  ctx: HttpContext,
  { kind, kept, token }: { kind: SessionKind; kept: KeptForm; token: string },
): Promise<void> {
  const session = await findSession(console.context, token);
  if (!session) throw new Error('a session was over when it began');
  const refused: Shown['refused'] = {
    operation: kept.operation,
    message: 'You are signed in again. Nothing was sent: look at it, and send it once more.',
    code: 'signed_in',
    isUnknown: false,
    fields: {},
    given: kept.given,
    links: [],
  };
  if (kind === 'owner' && oneOf(kept.given, '_back') === accountPage.path) {
    return showAccount(console, ctx, session, { refused });
  }
  await sendBack(console, ctx, { kind, session, renewed: token, refused });
}

interface Back {
  readonly kind: PageAccess;
  readonly session: WebSession | undefined;
  readonly renewed?: string | undefined;
  readonly refused?: Shown['refused'];
  readonly done?: Shown['done'];
  readonly status?: number;
  readonly given?: Given;
}

/** The page on which a form stands, again, with what became of it. */
export async function sendBack(console: Console, ctx: HttpContext, back: Back): Promise<void> {
  const { kind, session, refused, status = 200 } = back;
  const url = oneOf(back.given ?? refused?.given ?? {}, '_back');
  const { page, asked: named, path } = matchPage(console.pages, kind, url);
  const asked = { ...named, agentId: session?.caller.agentId };
  const request = { ...back, page, asked, url: path };
  const answers = await readPage(console, ctx, request);
  sendPage(console, ctx, { ...request, session }, answers, status);
}

/** A refusal as a page shows it. */
export function refusedOf(operation: string, given: Given, refusal: Refusal): Shown['refused'] {
  const { fields = [] } = refusal.details as { fields?: { pointer: string; message: string }[] };
  const { status } = CODES[refusal.code];
  // What was secret is filled in again by its person.
  const shown = Object.entries(given).filter(([name]) => !/password|secret/.test(name));
  return {
    operation,
    message: refusal.message,
    code: refusal.code,
    isUnknown: status >= 500,
    fields: Object.fromEntries(
      fields.map(({ pointer, message }) => [pointer.split('/')[1] ?? '', message]),
    ),
    given: Object.fromEntries(shown),
    links: LINKS[refusal.code] ?? [],
  };
}

/** Where what is missing can be had. */
const LINKS: Readonly<Record<string, NonNullable<Shown['refused']>['links']>> = {
  insufficient_balance: [{ href: '/console/add', label: 'Add money' }],
  rail_unavailable: [{ href: '/console/add', label: 'Other ways to add money' }],
};
