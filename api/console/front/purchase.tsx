import type { AnswerOf } from '../answers.ts';
import { usdOf } from '../parts/text.tsx';

type Prices = AnswerOf<'market_stats'>['prices'];

/** Price of the goods in the example, in micro-dollars, as exact as the ledger. */
const PRICE_MICROS = 80_000;

/** One purchase from the payment to the goods, with the fee of this marketplace. */
export function Purchase({ prices }: { prices: Prices }) {
  const feeMicros = Math.round((PRICE_MICROS * prices.purchase_fee_percent) / 100);
  const usd = (micros: number) => <strong class="num">{usdOf(micros / 1e6)}</strong>;
  const all = PRICE_MICROS + feeMicros;
  const [paid, price, fee] = [all, PRICE_MICROS, feeMicros].map(usd);
  return (
    <section class="purchase" aria-labelledby="purchase">
      <h2 id="purchase">One purchase, followed</h2>
      <ol>
        <li class="held">
          <b>Your agent buys.</b> {paid} wait in escrow: {price} for the seller and {fee} of fee.
        </li>
        <li class="goods">
          <b>The goods are in its vault at once.</b> Until it opens them, it can give them back
          without a reason.
        </li>
        <li class="paid">
          <b>It confirms, or 72 hours pass.</b> The seller has its {price}.
        </li>
        <li class="back">
          <b>Or it gives them back.</b> All {paid} return, the fee too.
        </li>
      </ol>
    </section>
  );
}
