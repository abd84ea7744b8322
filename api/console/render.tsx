import { renderToString } from 'preact-render-to-string';

import type { HttpContext } from '../http/routes.ts';
import type { WebSession } from '../../shared/domains/agents/sessions/sessions.ts';
import { DEFAULT_SETTINGS } from '../../shared/domains/agents/sessions/settings.ts';
import type { CallBody, Invoke } from '../../shared/kernel/call.ts';
import type { Context } from '../../shared/composition/context.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { assetNames } from './assets.ts';
import { CHECKED_ELSEWHERE, decisionsIn, type Counts } from './decisions_in.ts';
import type { PageQuery, Page } from './page.ts';
import { Document } from './parts/frame.tsx';
import { inputFor, readingsOf, type NamedReading } from './readings.ts';
import { proverOf, type SessionKind } from './session/current.ts';
import { setPageHeaders } from './session/guard.ts';
import { ShownContext, type PageState } from './page_state.ts';
import { anonymousProof } from './anonymous.ts';

/** The parts of the console. */
export interface Console {
  readonly context: Context;
  readonly invoke: Invoke;
  readonly pages: readonly Page[];
}

/** One request for a page. */
export interface PageRequest {
  readonly page: Page;
  readonly asked: PageQuery;
  /** URL with its query. */
  readonly url: string;
  readonly session: WebSession | undefined;
  /** The token of a session that was renewed in this request. */
  readonly renewed?: string | undefined;
  /** True if the page redraws itself: its reads then go one after the other. */
  readonly isRedraw?: boolean;
  readonly refused?: PageState['refused'];
  readonly done?: PageState['done'];
}

export type ReadAnswers = Record<string, unknown>;

/** Reads the answers of a page. Throws refusals of `reads`; gives null for those of cards. */
export async function readPage(
  console: Console,
  ctx: HttpContext,
  { page, asked, session, renewed, isRedraw }: PageRequest,
): Promise<ReadAnswers> {
  const read = callerOf(console, ctx, session, { renewed, isOnce: isRedraw });
  const entryOf = async ({ as, name, reading, isNeeded }: NamedReading) => {
    const input = inputFor(reading, asked);
    if (input === undefined) return [as, null] as const;
    const answer = read(name, { input, key: undefined, waitMs: 0 });
    try {
      return [as, JSON.parse((await answer).body)] as const;
    } catch (error) {
      if (isNeeded || !(error instanceof Refusal) || isOwnFault(error, asked)) throw error;
      return [as, null] as const;
    }
  };
  const readings = readingsOf(page);
  if (isRedraw) {
    const answers: ReadAnswers = {};
    for (const reading of readings) {
      const [as, answer] = await entryOf(reading);
      answers[as] = answer;
    }
    return answers;
  }
  // The navigation, which is not redrawn, shows how many items wait, on every page.
  const isCounted = page.access === 'owner' && !readings.some(({ as }) => as === WAITING.as);
  const all = [...readings, ...(isCounted ? [WAITING] : [])];
  return Object.fromEntries(await Promise.all(all.map(entryOf)));
}

/**
 * Whether a card asked for what there is not, in a field that its reader did not fill in: it would
 * be empty for ever, and nobody would know.
 */
function isOwnFault({ code, details }: Refusal, { query }: PageQuery): boolean {
  if (code !== 'validation_error') return false;
  const { fields = [] } = details as { fields?: readonly { readonly pointer: string }[] };
  return fields.some(({ pointer }) => query[pointer.split('/')[1] ?? ''] === undefined);
}

/**
 * Invokes operations by name as the person of a session, or as nobody. The session is looked up
 * again for each of them, or once for all.
 */
export function callerOf(
  { context, invoke }: Console,
  ctx: HttpContext,
  session: WebSession | undefined,
  { renewed, isOnce = false }: { renewed?: string | undefined; isOnce?: boolean | undefined } = {},
) {
  const kind: SessionKind = session?.caller.operator === undefined ? 'owner' : 'operator';
  const { requestId, address } = ctx.state;
  const lookUp = proverOf(context, ctx, kind, renewed);
  let found: ReturnType<typeof lookUp> | undefined;
  const prove = isOnce ? () => (found ??= lookUp()) : lookUp;
  return (name: string, body: CallBody, isCounted = true) =>
    invoke(context.operations.get(name)!, {
      token: undefined,
      prove: session ? prove : anonymousProof(name),
      read: () => body,
      dropUnknown: false,
      requestId,
      address,
      // A page counts as one call, however much it reads.
      isCounted,
    });
}

/** Sends a page whose answers were read. */
export function sendPage(
  console: Console,
  ctx: HttpContext,
  request: PageRequest,
  answers: ReadAnswers,
  status = 200,
): void {
  const { page, asked, url, session, refused, done } = request;
  const { context, pages } = console;
  const shown: PageState = {
    ...asked,
    page,
    url,
    publicUrl: context.config.api.publicUrl,
    isSandbox: context.config.sandbox,
    head: page.head?.(answers, asked),
    requestId: ctx.state.requestId,
    now: context.clock.now(),
    person: session,
    settings: session?.settings ?? DEFAULT_SETTINGS,
    refused,
    done,
    operations: context.operations,
    assets: assetNames(),
    nav: pages.filter(({ nav, access }) => nav && access === page.access),
    waiting: waitingIn(answers),
  };
  // A view may refuse: then nothing is set yet.
  const html = renderToString(
    <ShownContext.Provider value={shown}>
      <Document>{page.view(answers, asked)}</Document>
    </ShownContext.Provider>,
  );
  ctx.status = status;
  setPageHeaders(ctx, {
    leadsTo: page.leadsTo,
    keptSeconds: refused || done ? undefined : page.keptSeconds,
    pictures: page.pictures?.(asked),
  });
  ctx.body = `<!doctype html>${html}`;
}

const WAITING_INPUT = { limit: 1, except: CHECKED_ELSEWHERE, below: true };

const WAITING: NamedReading = {
  as: 'todo',
  name: 'inbox',
  reading: ['inbox', WAITING_INPUT],
  isNeeded: false,
};

/**
 * The number of waiting items, for a page of an owner that reads nothing else. Its session was
 * looked up for this request; the token of its cookie may have been replaced since.
 */
export async function readWaiting(
  { context, invoke }: Console,
  ctx: HttpContext,
  { caller }: WebSession,
): Promise<ReadAnswers> {
  if (caller.operator !== undefined) return {};
  const { requestId, address } = ctx.state;
  const { body } = await invoke(context.operations.get(WAITING.name)!, {
    token: undefined,
    prove: async () => caller,
    read: () => ({ input: WAITING_INPUT, key: undefined, waitMs: 0 }),
    dropUnknown: false,
    requestId,
    address,
    isCounted: false,
  });
  return { [WAITING.as]: JSON.parse(body) };
}

/** The number of waiting items in the inbox's answer. */
function waitingIn(answers: ReadAnswers): number | undefined {
  const { counts } = (answers.todo ?? {}) as { counts?: Counts };
  return counts && decisionsIn(counts);
}
