import type { AnswerOf } from '../answers.ts';
import { usdOf } from '../parts/text.tsx';

type Prices = AnswerOf<'market_stats'>['prices'];

/** Of the goods that are followed here, in micro-dollars, as exact as the ledger. */
const PRICE_MICROS = 80_000;

/** One purchase from the money to the goods, with the fee of this market. */
export function Purchase({ prices }: { prices: Prices }) {
  const feeMicros = Math.round((PRICE_MICROS * prices.purchase_fee_percent) / 100);
  const usd = (micros: number) => <strong class="num">{usdOf(micros / 1e6)}</strong>;
  const all = PRICE_MICROS + feeMicros;
  return (
    <section class="purchase" aria-labelledby="purchase">
      <h2 id="purchase">One purchase, followed</h2>
      <ol>
        <li class="held">
          <b>Your agent buys.</b> {usd(all)} wait in escrow: {usd(PRICE_MICROS)} for the seller and{' '}
          {usd(feeMicros)} of fee.
        </li>
        <li class="goods">
          <b>The goods are in its vault at once.</b> Until it opens them, it can give them back
          without a reason.
        </li>
        <li class="paid">
          <b>It confirms, or 72 hours pass.</b> The seller has its {usd(PRICE_MICROS)}.
        </li>
        <li class="back">
          <b>Or it gives them back.</b> All {usd(all)} return, the fee too.
        </li>
      </ol>
    </section>
  );
}
