import type { Lifecycle } from '../api/http/health.ts';
import { refusalFor } from '../api/http/errors.ts';
import type { HttpContext, Route } from '../api/http/routes.ts';
import { PLATFORM } from '../shared/agents/caller.ts';
import { countCalls } from '../shared/composition/count_calls.ts';
import type { Invoke } from '../shared/kernel/call.ts';
import type { Context } from '../shared/kernel/context.ts';
import { assetRoutes, loadAssets } from './assets.ts';
import { doRoutes } from './do_route.ts';
import { openChanges } from './live/changes.ts';
import { liveRoutes } from './live/live_route.ts';
import { openRedraws, REDRAW, type Redraws } from './live/redraws.ts';
import { sendFault } from './fault_page.tsx';
import { FRONT_PAGES } from './front/pages.ts';
import { OPERATOR_PAGES } from './operator/pages.ts';
import { statementCsvRoute } from './owner/money/statement_csv.ts';
import { OWNER_PAGES } from './owner/pages.ts';
import type { Asked, Page } from './page.ts';
import { readPage, sendPage, type Console } from './render.tsx';
import { currentSession, type SessionKind } from './session/current.ts';
import { baseOf } from './session/form.ts';
import { accountRoutes } from './account/account_routes.ts';
import { loginRoutes } from './session/login_routes.ts';

/** Every page, in the order of the navigation. */
export const PAGES: readonly Page[] = [...FRONT_PAGES, ...OWNER_PAGES, ...OPERATOR_PAGES];

/** What people see: the front page, the console of owners at /console, of operators at /admin. */
export function consoleRoutes(context: Context, invoke: Invoke, lifecycle: Lifecycle): Route[] {
  const console: Console = { context, invoke, pages: PAGES };
  const changes = openChanges(context);
  const redraws = openRedraws(changes);
  const routes = [
    ...PAGES.map((page) => pageRoute(console, redraws, page)),
    ...loginRoutes(console),
    ...accountRoutes(console),
    ...doRoutes(console),
    ...liveRoutes(context, changes, lifecycle),
    statementCsvRoute(console),
  ];
  return [...routes.map((route) => asPages(console, route)), ...assetRoutes()];
}

function pageRoute(console: Console, redraws: Redraws, page: Page): Route {
  const { context } = console;
  return {
    route: `GET ${page.path}`,
    async handle(ctx) {
      const asked: Asked = {
        params: ctx.params ?? {},
        query: Object.fromEntries(new URLSearchParams(ctx.querystring)),
      };
      const url = ctx.path + (ctx.querystring && `?${ctx.querystring}`);
      const kind = page.access === 'public' ? undefined : page.access;
      const isPerson = ctx.get(REDRAW) === '';
      const session = kind && (await currentSession(context, ctx, kind, { isPerson }));
      if (kind && !session) return toLogin(ctx, kind, url);
      const caller = session?.caller ?? PLATFORM;
      await countCalls(context, { caller, address: ctx.state.address });
      const { done: operation, ...query } = asked.query;
      const done =
        operation !== undefined && page.does.includes(operation) ? { operation } : undefined;
      const forView = { ...asked, query, agentId: session?.caller.agentId };
      const request = { page, asked: forView, url: withoutDone(url), session, done };
      if (session && !isPerson) {
        const isRedraw = true;
        return redraws.run(ctx, { session, url: request.url }, async (read) => {
          const fresh = () => readPage(console, ctx, { ...request, isRedraw });
          sendPage(console, ctx, request, await read(fresh));
        });
      }
      const answers = await readPage(console, ctx, request);
      if (page.json) ctx.vary('Accept');
      // What says nothing of what it wants, such as curl, is a program.
      if (page.json && ctx.accepts('json', 'html') !== 'html') {
        ctx.body = JSON.stringify(page.json(answers, context.config.api.publicUrl));
        return;
      }
      sendPage(console, ctx, request, answers);
    },
  };
}

function toLogin(ctx: HttpContext, kind: SessionKind, url: string): void {
  ctx.status = 303;
  ctx.set('Location', `${baseOf(kind)}/login?next=${encodeURIComponent(url)}`);
  ctx.body = null;
}

const withoutDone = (url: string) => {
  const { pathname, searchParams } = new URL(url, 'http://here');
  searchParams.delete('done');
  return pathname + (searchParams.size > 0 ? `?${searchParams.toString()}` : '');
};

/** What is refused or fails on the way to a page is a page too. */
function asPages(console: Console, route: Route): Route {
  return {
    route: route.route,
    async handle(ctx) {
      await loadAssets();
      try {
        await route.handle(ctx);
      } catch (error) {
        // A program is told as programs are: by the errors of the API.
        if (ctx.accepts('json', 'html') !== 'html') throw error;
        await sendFault(console, ctx, refusalFor(console.context.log, ctx.state, error));
      }
    },
  };
}
