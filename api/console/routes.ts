import type { Lifecycle } from '../http/health.ts';
import { refusalFor } from '../http/errors.ts';
import type { HttpContext, Route } from '../http/routes.ts';
import { PLATFORM } from '../../shared/kernel/caller.ts';
import { countCalls } from '../../shared/composition/invoke/count_calls.ts';
import type { Invoke } from '../../shared/kernel/call.ts';
import type { Context } from '../../shared/composition/context.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { assetRoutes, loadAssets } from './assets.ts';
import { doRoutes } from './do_route.ts';
import { openChanges } from './live/changes.ts';
import { liveRoutes } from './live/live_route.ts';
import { openRedraws, REDRAW, type Redraws } from './live/redraws.ts';
import { sendFault } from './fault_page.tsx';
import { leadBack } from './front/lead_back.ts';
import { FRONT_PAGES } from './front/pages.ts';
import { receiptRoute } from './front/receipt_route.ts';
import { sharePictureRoutes } from './front/share_pictures.ts';
import { mailRoutes } from './mail/mail_routes.ts';
import { MARKET_PAGES } from './market/pages.ts';
import { productFeedRoutes } from './market/crawl/product_feed.ts';
import { sitemapRoutes } from './market/crawl/sitemap.ts';
import { OPERATOR_PAGES } from './operator/pages.ts';
import { emailListRoutes } from './owner/email/email_routes.ts';
import { laborResultsRoutes } from './owner/labor/results_routes.ts';
import { orderRowsRoutes } from './owner/trade/order_rows.ts';
import { soldDatasetRoutes } from './operator/decisions/sold_dataset.ts';
import { statementCsvRoute } from './owner/money/statement_csv.ts';
import { OWNER_PAGES } from './owner/pages.ts';
import type { PageQuery, Page } from './page.ts';
import { readPage, sendPage, type Console } from './render.tsx';
import { currentSession, type SessionKind } from './session/current.ts';
import { baseOf } from './session/form.ts';
import { accountRoutes } from './account/account_routes.ts';
import { closingRoutes } from './account/closing_routes.ts';
import { loginRoutes } from './session/login_routes.ts';
import { startRoutes } from './session/start_routes.tsx';

/** Every page, in the order of the navigation. */
export const PAGES: readonly Page[] = [
  ...FRONT_PAGES,
  ...MARKET_PAGES,
  ...OWNER_PAGES,
  ...OPERATOR_PAGES,
];

/** The pages for people: the front page, owners' console at /console, operators' at /admin. */
export function consoleRoutes(context: Context, invoke: Invoke, lifecycle: Lifecycle): Route[] {
  const console: Console = { context, invoke, pages: PAGES };
  const changes = openChanges(context);
  const redraws = openRedraws(changes);
  const routes = [
    ...PAGES.map((page) => pageRoute(console, redraws, page)),
    ...loginRoutes(console),
    ...startRoutes(console),
    ...accountRoutes(console),
    ...closingRoutes(console),
    ...mailRoutes(console),
    ...doRoutes(console),
    ...liveRoutes(context, changes, lifecycle),
    receiptRoute(console),
    statementCsvRoute(console),
    ...emailListRoutes(console),
    ...laborResultsRoutes(console),
    ...orderRowsRoutes(console),
    ...soldDatasetRoutes(console),
    ...sitemapRoutes(console),
    ...productFeedRoutes(console),
    ...sharePictureRoutes(),
  ];
  const all = [...routes, ...leadBack(routes, PAGES)];
  return [...all.map((route) => asPages(console, route)), ...assetRoutes()];
}

/** Answers what leads nowhere: people with a page, programs with the error of the API. */
export function unknownPath(context: Context, invoke: Invoke): Route['handle'] {
  const handle = () => {
    throw new Refusal('not_found', 'There is nothing at this path.');
  };
  const route = asPages({ context, invoke, pages: PAGES }, { route: 'GET /', handle });
  return (ctx) => route.handle(ctx);
}

function pageRoute(console: Console, redraws: Redraws, page: Page): Route {
  const { context } = console;
  return {
    route: `GET ${page.path}`,
    async handle(ctx) {
      const asked: PageQuery = {
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
      // A form may lead to another page than its own.
      const isDone = PAGES.some(
        ({ access, does }) => access === page.access && does.includes(operation ?? ''),
      );
      const done = operation !== undefined && isDone ? { operation } : undefined;
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
      // A client that does not say what it accepts, such as curl, is a program.
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

/** Turns errors on the way to a page into pages. */
function asPages(console: Console, route: Route): Route {
  return {
    route: route.route,
    async handle(ctx) {
      await loadAssets();
      try {
        await route.handle(ctx);
      } catch (error) {
        // Programs get the errors of the API.
        if (ctx.accepts('json', 'html') !== 'html') throw error;
        await sendFault(console, ctx, refusalFor(console.context.log, ctx.state, error));
      }
    },
  };
}
