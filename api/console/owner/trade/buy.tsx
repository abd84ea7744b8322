import { feeOf, fromUsd, toUsd } from '../../../../shared/kernel/money.ts';
import { clean } from '../../../../shared/kernel/text.ts';
import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Usd, usdOf, Words } from '../../parts/text.tsx';
import { useShown } from '../../page_state.ts';

const PATH = '/console/buy';
/** As many as one order may have. */
const QUANTITY_MAX = 1_000;

/** The number of units in the address; undefined: what stands there is none. */
const quantityIn = ({ query: { quantity = '1' } }: Pick<PageQuery, 'query'>) => {
  const text = quantity.trim();
  const units = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return units >= 1 && units <= QUANTITY_MAX ? units : undefined;
};

/** A purchase by the owner itself, with the price that it saw as the most it pays. */
export const buy = page({
  path: `${PATH}/:id`,
  title: 'Buy',
  access: 'owner',
  reads: {
    product: ['get_product', ({ params }: PageQuery) => ({ product_id: Number(params.id) })],
    wallet: 'get_wallet',
  },
  does: ['purchase_product'],
  view: ({ product, wallet }, asked) => (
    <>
      <div class="lead">
        <h1>
          Buy <Words>{clean(product.title)}</Words>
        </h1>
        <p>
          From <Words>{product.seller.username}</Words>.{' '}
          <a href={`/market/products/${product.product_id}`}>Read what is delivered</a> first.
        </p>
      </div>
      <Card id="order" title="Your order">
        <Units product={product} quantity={quantityIn(asked)} typed={asked.query.quantity} />
        {quantityIn(asked) !== undefined && (
          <Order product={product} wallet={wallet} quantity={quantityIn(asked)!} />
        )}
      </Card>
    </>
  ),
});

interface UnitsProps {
  product: AnswerOf<'get_product'>;
  quantity: number | undefined;
  /** The number as it was typed. */
  typed: string | undefined;
}

function Units({ product: { product_id: id, in_stock: left }, quantity, typed }: UnitsProps) {
  const most = Math.min(QUANTITY_MAX, Math.max(left ?? QUANTITY_MAX, 1));
  const problem =
    quantity === undefined
      ? `Enter a whole number from 1 to ${QUANTITY_MAX}.`
      : quantity > most && `There ${most === 1 ? 'is' : 'are'} ${most} left.`;
  return (
    <form class="inside quantity" method="get" action={`${PATH}/${id}`}>
      <span class="field">
        <label for="quantity">Units</label>
        <input
          id="quantity"
          inputmode="numeric"
          name="quantity"
          maxLength={10}
          value={quantity ?? typed}
          aria-describedby="quantity-note"
          {...(problem && { 'aria-invalid': 'true' as const })}
        />
      </span>
      <button class="button">Show the total</button>
      <span id="quantity-note" class="problems">
        {problem && <strong class="problem">{problem}</strong>}
      </span>
    </form>
  );
}

interface OrderProps {
  product: AnswerOf<'get_product'>;
  wallet: AnswerOf<'get_wallet'>;
  quantity: number;
}

function Order({ product, wallet, quantity }: OrderProps) {
  const { settings } = useShown();
  const subtotal = fromUsd(product.price) * BigInt(quantity);
  const fee = feeOf(subtotal);
  const total = toUsd(subtotal + fee);
  const asks = total > toUsd(settings.askAbove);
  const lines = [
    `${usdOf(total)} wait in escrow, and the goods are in the vault of the order at once.`,
    'Until you open the vault, you can give them back without a reason.',
  ];
  const label = `Buy for ${usdOf(total)}`;
  return (
    <>
      <dl class="pairs">
        <dt>Price</dt>
        <dd>
          {quantity} × <Usd amount={product.price} />
        </dd>
        <dt>Fee</dt>
        <dd>
          <Usd amount={toUsd(fee)} />
        </dd>
        <dt>Total</dt>
        <dd>
          <strong>
            <Usd amount={total} />
          </strong>
          . If the price rises meanwhile, nothing is bought.
        </dd>
        <dt>Yours to spend</dt>
        <dd>
          <Usd amount={wallet.balance} />
          {!product.accepts_credit && (
            <>
              , of it <Usd amount={wallet.cash} /> cash: this seller takes no credit
            </>
          )}
        </dd>
      </dl>
      <div class="inside">
        {product.in_stock === 0 ? (
          <p class="message held">Sold out at the moment.</p>
        ) : (
          <Do
            op="purchase_product"
            input={{ product_id: product.product_id, quantity, max_total_due: total }}
            label={label}
            main
            confirm={asks ? { title: `${label}?`, lines } : undefined}
            next="/console/orders/:order_id"
          />
        )}
      </div>
    </>
  );
}
