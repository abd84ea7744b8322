import { PLATFORM } from '../../../../shared/kernel/caller.ts';
import { CATEGORIES } from '../../../../shared/domains/products/products.ts';
import { countCalls } from '../../../../shared/composition/invoke/count_calls.ts';
import { documentRoute } from '../../../docs/document.ts';
import type { HttpContext, Route } from '../../../http/routes.ts';
import type { AnswerOf, ReadName } from '../../answers.ts';
import { CHAPTERS } from '../../manual/chapters.ts';
import { callerOf, type Console } from '../../render.tsx';
import { LIMIT, productsOf } from './all_products.ts';
import { kept, KEPT_MS } from './kept.ts';

/** Maximum products that are named, the newest. A sitemap may have 50 000 addresses. */
const PRODUCTS_MAX = 1_000;

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
  const read = kept(async (ctx) => xmlOf(publicUrl, await pathsOf(console, ctx)));
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
  const products = await productsOf(console, ctx, PRODUCTS_MAX);
  const sellers = new Set(products.map(({ seller }) => seller.agent_id));
  const { tasks } = await read('task_browse', { limit: LIMIT });
  const { labor_tasks: labor } = await read('list_labor_tasks', { limit: LIMIT });
  return [
    ...FIXED,
    ...products.map(({ product_id: id }) => `/market/products/${id}`),
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
