import type { HttpContext } from '../http/routes.ts';
import { findSession, type WebSession } from '../../shared/domains/agents/sessions/sessions.ts';
import { CODES, type Refusal } from '../../shared/kernel/refusal.ts';
import { accountPage } from './account/account.tsx';
import { showAccount } from './account/show_account.ts';
import { matchPage } from './match.ts';
import type { PageAccess } from './page.ts';
import { readPage, sendPage, type Console } from './render.tsx';
import type { KeptForm } from './session/login.tsx';
import type { SessionKind } from './session/current.ts';
import { isOfAnother, LOOK, oneOf, otherAccount } from './session/form.ts';
import type { FormFields, PageState } from './page_state.ts';
import { sentenceOf, statesInWords } from './words/problem_words.ts';

/** Shows the page of a form with its fields filled in, after the person has signed in again. */
export async function showAgain(
  console: Console,
  ctx: HttpContext,
  { kind, kept, token }: { kind: SessionKind; kept: KeptForm; token: string },
): Promise<void> {
  const session = await findSession(console.context, token);
  if (!session) throw new Error('a session was over when it began');
  const refused: PageState['refused'] = {
    operation: kept.operation,
    message: isOfAnother(kept.given, session)
      ? `${otherAccount(session)} Nothing was sent. ${LOOK}`
      : `You are signed in again. Nothing was sent: look at it, and send it once more.`,
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

interface FormResult {
  readonly kind: PageAccess;
  readonly session: WebSession | undefined;
  readonly renewed?: string | undefined;
  readonly refused?: PageState['refused'];
  readonly done?: PageState['done'];
  readonly status?: number;
  readonly given?: FormFields;
}

/** Sends the page of a form again, with the result. */
export async function sendBack(
  console: Console,
  ctx: HttpContext,
  back: FormResult,
): Promise<void> {
  const { kind, session, refused, status = 200 } = back;
  const url = oneOf(back.given ?? refused?.given ?? {}, '_back');
  const { page, asked: named, path } = matchPage(console.pages, kind, url);
  const asked = { ...named, agentId: session?.caller.agentId };
  const request = { ...back, page, asked, url: path };
  const answers = await readPage(console, ctx, request);
  sendPage(console, ctx, { ...request, session }, answers, status);
}

/** A refusal as a page shows it. */
export function refusedOf(
  operation: string,
  given: FormFields,
  refusal: Refusal,
): PageState['refused'] {
  const { fields: told = [] } = refusal.details as {
    fields?: { pointer: string; message: string }[];
  };
  // A problem of the whole input is the message, and not in this list.
  const whole = told.find(({ pointer }) => pointer === '');
  const fields = whole ? [] : told;
  const { status } = CODES[refusal.code];
  // Secrets have to be typed again.
  const shown = Object.entries(given).filter(([name]) => !/password|secret/.test(name));
  return {
    operation,
    message: whole ? sentenceOf(operation, whole) : messageFor(refusal, fields.length > 0),
    code: refusal.code,
    isUnknown: status >= 500,
    // The first of several problems of a field stands.
    fields: Object.fromEntries(
      fields.toReversed().map((field) => {
        const name = field.pointer.split('/')[1] ?? '';
        const isEmpty = given[name]?.every((text) => text.trim() === '');
        return [name, sentenceOf(operation, field, isEmpty)];
      }),
    ),
    given: Object.fromEntries(shown),
    links: LINKS[refusal.code] ?? [],
  };
}

/** The words for a person: pages list the fields, and make keys of their own. */
function messageFor({ code, message }: Refusal, hasFields: boolean): string {
  if (code === 'idempotency_conflict') return SENT_BEFORE;
  return code === 'validation_error' && hasFields ? CORRECT : statesInWords(message);
}

const CORRECT = 'Nothing was done. Correct what is said below, and send it again.';
const SENT_BEFORE =
  'This form was sent before with other values. Look at what came of them. If this is to be done ' +
  'too, send the form again.';

/** Pages that help with a refusal. */
const LINKS: Readonly<Record<string, NonNullable<PageState['refused']>['links']>> = {
  insufficient_balance: [{ href: '/console/add', label: 'Add money' }],
  rail_unavailable: [{ href: '/console/add', label: 'Other ways to add money' }],
};
