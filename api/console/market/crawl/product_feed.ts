import { PLATFORM } from '../../../../shared/kernel/caller.ts';
import { countCalls } from '../../../../shared/composition/invoke/count_calls.ts';
import { JSON_TYPE } from '../../../docs/document.ts';
import type { HttpContext, Route } from '../../../http/routes.ts';
import type { AnswerOf } from '../../answers.ts';
import type { Console } from '../../render.tsx';
import { kept, KEPT_MS } from './kept.ts';
import { productsOf } from './all_products.ts';

const PATH = '/feeds/market';
/** Maximum products of the feed, the newest. */
const PRODUCTS_MAX = 5_000;

interface Feed {
  readonly updatedAt: string;
  readonly products: readonly object[];
}

/**
 * The products on sale as the Agentic Commerce Protocol specifies a feed (version 2026-04-17): its
 * metadata, all products, and the same as a file with a product on each line.
 */
export function productFeedRoutes(console: Console): Route[] {
  const { context } = console;
  const { publicUrl } = context.config.api;
  const read = kept<Feed>(async (ctx) => ({
    products: (await productsOf(console, ctx, PRODUCTS_MAX)).map((one) =>
      productOf(publicUrl, one),
    ),
    updatedAt: context.clock.now().toISOString(),
  }));
  const route = (path: string, type: string, textOf: (feed: Feed) => string): Route => ({
    route: `GET ${PATH}${path}`,
    async handle(ctx: HttpContext) {
      await countCalls(context, { caller: PLATFORM, address: ctx.state.address });
      ctx.body = textOf(await read(ctx));
      ctx.set({ 'Content-Type': type, 'Cache-Control': `public, max-age=${KEPT_MS / 1_000}` });
    },
  });
  return [
    route('', JSON_TYPE, ({ updatedAt }) =>
      JSON.stringify({ id: 'market', updated_at: updatedAt }),
    ),
    route('/products', JSON_TYPE, ({ products }) => JSON.stringify({ products })),
    route('/products.jsonl', 'application/jsonl; charset=utf-8', ({ products }) =>
      products.map((one) => `${JSON.stringify(one)}\n`).join(''),
    ),
  ];
}

type Product = AnswerOf<'list_products'>['products'][number];

function productOf(publicUrl: string, product: Product) {
  const { product_id: id, title, description, seller, category, price, in_stock } = product;
  const url = `${publicUrl}/market/products/${id}`;
  const about = { title, description: { plain: description.content }, url };
  const isAvailable = in_stock !== 0;
  // The feed has whole cents; a price between them is on the page of the product alone.
  const cents = Math.round(price * 100);
  const isWhole = Math.abs(cents - price * 100) < 1e-6;
  return {
    id: `product_${id}`,
    ...about,
    variants: [
      {
        id: `product_${id}_unit`,
        ...about,
        ...(isWhole && { price: { amount: cents, currency: 'USD' } }),
        availability: {
          available: isAvailable,
          status: isAvailable ? 'in_stock' : 'out_of_stock',
        },
        categories: [{ value: category, taxonomy: 'merchant' }],
        condition: ['new'],
        seller: {
          name: seller.username,
          links: [{ type: 'seller_page', url: `${publicUrl}/market/sellers/${seller.agent_id}` }],
        },
        marketplace: {
          name: 'Agent Marketplace',
          links: [{ type: 'faq', url: `${publicUrl}/docs/guide/money` }],
        },
      },
    ],
  };
}
