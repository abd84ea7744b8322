import { renderToString } from 'preact-render-to-string';

import type { HttpContext } from '../api/http/routes.ts';
import type { WebSession } from '../shared/agents/sessions/sessions.ts';
import { DEFAULT_SETTINGS } from '../shared/agents/sessions/settings.ts';
import type { CallBody, Invoke } from '../shared/kernel/call.ts';
import type { Context } from '../shared/kernel/context.ts';
import { Refusal } from '../shared/kernel/refusal.ts';
import { assetNames } from './assets.ts';
import type { Asked, Page } from './page.ts';
import { Document } from './parts/frame.tsx';
import { inputFor, readingsOf, type NamedReading } from './readings.ts';
import { proverOf, type SessionKind } from './session/current.ts';
import { setPageHeaders } from './session/guard.ts';
import { ShownContext, type Shown } from './shown.ts';

/** What the console is made of. */
export interface Console {
  readonly context: Context;
  readonly invoke: Invoke;
  readonly pages: readonly Page[];
}

/** Of one request for a page. */
export interface PageRequest {
  readonly page: Page;
  readonly asked: Asked;
  /** With its query. */
  readonly url: string;
  readonly session: WebSession | undefined;
  /** The token of a session that was renewed in this request. */
  readonly renewed?: string | undefined;
  /** The page fetches itself again, so its reads go one after the other. */
  readonly isRedraw?: boolean;
  readonly refused?: Shown['refused'];
  readonly done?: Shown['done'];
}

export type Answered = Record<string, unknown>;

/** Reads what a page shows. A refusal of what it needs is thrown; of a card, it gives null. */
export async function readPage(
  console: Console,
  ctx: HttpContext,
  { page, asked, session, renewed, isRedraw }: PageRequest,
): Promise<Answered> {
  const read = callerOf(console, ctx, session, { renewed, isOnce: isRedraw });
  const entryOf = async ({ as, name, reading, isNeeded }: NamedReading) => {
    const input = inputFor(reading, asked);
    if (input === undefined) return [as, null] as const;
    const answer = read(name, { input, key: undefined, waitMs: 0 });
    try {
      return [as, JSON.parse((await answer).body)] as const;
    } catch (error) {
      if (isNeeded || !(error instanceof Refusal)) throw error;
      return [as, null] as const;
    }
  };
  const readings = readingsOf(page);
  if (isRedraw) {
    const answers: Answered = {};
    for (const reading of readings) {
      const [as, answer] = await entryOf(reading);
      answers[as] = answer;
    }
    return answers;
  }
  // The navigation, which is not drawn again, says how much waits, whatever page one is on.
  const isCounted = page.access === 'owner' && !readings.some(({ as }) => as === WAITING.as);
  const all = [...readings, ...(isCounted ? [WAITING] : [])];
  return Object.fromEntries(await Promise.all(all.map(entryOf)));
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
      prove: session && prove,
      read: () => body,
      dropUnknown: false,
      requestId,
      address,
      // A page counts once, however much it reads.
      isCounted,
    });
}

/** Sends a page that was read. */
export function sendPage(
  console: Console,
  ctx: HttpContext,
  request: PageRequest,
  answers: Answered,
  status = 200,
): void {
  const { page, asked, url, session, refused, done } = request;
  const { context, pages } = console;
  const shown: Shown = {
    ...asked,
    page,
    url,
    publicUrl: context.config.api.publicUrl,
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
  ctx.status = status;
  setPageHeaders(ctx, page.leadsTo);
  ctx.body = `<!doctype html>${renderToString(
    <ShownContext.Provider value={shown}>
      <Document>{page.view(answers, asked)}</Document>
    </ShownContext.Provider>,
  )}`;
}

const WAITING: NamedReading = {
  as: 'todo',
  name: 'inbox',
  reading: ['inbox', { limit: 1 }],
  isNeeded: false,
};

/**
 * How much waits, for a page of an owner that reads nothing else. Its session was looked up for
 * this request; the token of its cookie may have been replaced since.
 */
export async function readWaiting(
  { context, invoke }: Console,
  ctx: HttpContext,
  { caller }: WebSession,
): Promise<Answered> {
  if (caller.operator !== undefined) return {};
  const { requestId, address } = ctx.state;
  const { body } = await invoke(context.operations.get(WAITING.name)!, {
    token: undefined,
    prove: async () => caller,
    read: () => ({ input: { limit: 1 }, key: undefined, waitMs: 0 }),
    dropUnknown: false,
    requestId,
    address,
    isCounted: false,
  });
  return { [WAITING.as]: JSON.parse(body) };
}

/** Of what the inbox has counted. */
function waitingIn(answers: Answered): number | undefined {
  const { counts } = (answers.todo ?? {}) as { counts?: readonly { count: number }[] };
  return counts?.reduce((sum, { count }) => sum + count, 0);
}
