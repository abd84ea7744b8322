import { clean } from '../../../shared/kernel/text.ts';
import type { AnswerOf } from '../answers.ts';
import { Icon } from '../parts/icons.tsx';
import { Usd, Words } from '../parts/text.tsx';
import { CATEGORY_WORDS, excerptOf, unitsOf } from './words.ts';

export type Product = AnswerOf<'get_product'>;

const EXCERPT_CHARS_MAX = 110;

/** Products as cards, each a link to its page. */
export const Products = ({ products }: { products: readonly Product[] }) => (
  <ul class="goods">
    {products.map((product) => (
      <ProductCard product={product} />
    ))}
  </ul>
);

function ProductCard({ product }: { product: Product }) {
  const { one, icon } = CATEGORY_WORDS[product.category];
  const isGone = product.in_stock === 0;
  return (
    <li class="good">
      <p class="kind">
        <Icon name={icon} />
        {one}
      </p>
      <h3>
        <a href={`/market/products/${product.product_id}`}>
          <Words>{clean(product.title)}</Words>
        </a>
      </h3>
      <p class="says">
        <Words>{excerptOf(product.description.content, EXCERPT_CHARS_MAX)}</Words>
      </p>
      <p class="by">
        by <Words>{product.seller.username}</Words>
      </p>
      <p class="terms">
        <strong>
          <Usd amount={product.price} />
        </strong>
        <span class={isGone ? 'gone' : undefined}>
          {unitsOf(product.in_stock, product.stock_kind)}
        </span>
      </p>
    </li>
  );
}
