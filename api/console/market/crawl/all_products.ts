import type { HttpContext } from '../../../http/routes.ts';
import type { AnswerOf } from '../../answers.ts';
import { callerOf, type Console } from '../../render.tsx';

/** Items of one call, the most that it gives. */
export const LIMIT = 100;

type Page = AnswerOf<'list_products'>;

/** The products on sale, newest first, up to a maximum. */
export async function productsOf(
  console: Console,
  ctx: HttpContext,
  max: number,
): Promise<Page['products']> {
  const call = callerOf(console, ctx, undefined);
  const products: Page['products'] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && products.length < max) {
    const input = { limit: LIMIT, ...(cursor && { cursor }) };
    const { body } = await call('list_products', { input, key: undefined, waitMs: 0 });
    const page = JSON.parse(body) as Page;
    products.push(...page.products);
    cursor = page.next_cursor;
  }
  return products;
}
