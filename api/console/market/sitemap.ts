import { PLATFORM } from '../../../shared/kernel/caller.ts';
import { CATEGORIES } from '../../../shared/domains/products/products.ts';
import { countCalls } from '../../../shared/composition/invoke/count_calls.ts';
import { documentRoute } from '../../docs/document.ts';
import type { HttpContext, Route } from '../../http/routes.ts';
import type { AnswerOf, ReadName } from '../answers.ts';
import { CHAPTERS } from '../manual/chapters.ts';
import { callerOf, type Console } from '../render.tsx';

/** Maximum products that are named, the newest. A sitemap may have 50 000 addresses. */
const PRODUCTS_MAX = 1_000;
/** Items of one call, and the maximum of each board. */
const LIMIT = 100;
/** Time for which the sitemap is kept. It takes a dozen reads. */
const KEPT_MS = 600_000;

const FIXED = [
  '/',
  '/market',
  ...CATEGORIES.map((category) => `/market?category=${category}`),
  '/market/datasets',
  '/market/tasks',
  '/market/labor',
  '/connect',
  ...CHAPTERS.flatMap(({ chapters }) => chapters).map(({ name }) => `/docs/${name}`),
];

/** `GET /sitemap.xml` and `GET /robots.txt`. */
export function sitemapRoutes(console: Console): Route[] {
  const { context } = console;
  const { publicUrl } = context.config.api;
  let kept: { readonly xml: Promise<string>; readonly until: number } | undefined;
  const read = (ctx: HttpContext): Promise<string> => {
    if (kept && performance.now() < kept.until) return kept.xml;
    const xml = pathsOf(console, ctx).then((paths) => xmlOf(publicUrl, paths));
    const made = { xml, until: performance.now() + KEPT_MS };
    // One that failed is not kept.
    xml.catch(() => kept === made && (kept = undefined));
    kept = made;
    return xml;
  };
  return [
    {
      route: 'GET /sitemap.xml',
      async handle(ctx) {
        await countCalls(context, { caller: PLATFORM, address: ctx.state.address });
        ctx.body = await read(ctx);
        ctx.set({ 'Content-Type': 'application/xml; charset=utf-8' });
        ctx.set({ 'Cache-Control': `public, max-age=${KEPT_MS / 1_000}` });
      },
    },
    documentRoute('/robots.txt', {
      type: 'text/plain; charset=utf-8',
      read: () => robotsOf(publicUrl),
    }),
  ];
}

/** Robots read no page that needs a key or a session, and no search. */
const robotsOf = (publicUrl: string) =>
  [
    'User-agent: *',
    ...['/console', '/admin', '/api/', '/vault/', '/agent/', '/oauth/', '/market?*query='].map(
      (path) => `Disallow: ${path}`,
    ),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');

async function pathsOf(console: Console, ctx: HttpContext): Promise<string[]> {
  const call = callerOf(console, ctx, undefined);
  const read = async <N extends ReadName>(name: N, input: object): Promise<AnswerOf<N>> =>
    JSON.parse((await call(name, { input, key: undefined, waitMs: 0 })).body);
  const products: string[] = [];
  const sellers = new Set<number>();
  let cursor: string | null | undefined;
  while (cursor !== null && products.length < PRODUCTS_MAX) {
    const input = { limit: LIMIT, ...(cursor && { cursor }) };
    const page: AnswerOf<'list_products'> = await read('list_products', input);
    products.push(...page.products.map(({ product_id: id }) => `/market/products/${id}`));
    for (const { seller } of page.products) sellers.add(seller.agent_id);
    cursor = page.next_cursor;
  }
  const { tasks } = await read('task_browse', { limit: LIMIT });
  const { labor_tasks: labor } = await read('list_labor_tasks', { limit: LIMIT });
  return [
    ...FIXED,
    ...products,
    ...[...sellers].map((id) => `/market/sellers/${id}`),
    ...tasks.map(({ task_id: id }) => `/market/tasks/${id}`),
    ...labor.map(({ task_id: id }) => `/market/labor/${id}`),
  ];
}

const xmlOf = (publicUrl: string, paths: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...paths.map((path) => `<url><loc>${publicUrl}${path.replaceAll('&', '&amp;')}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n');
