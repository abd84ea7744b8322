import type { AnswerOf } from '../answers.ts';
import { Usd, usdOf } from './text.tsx';

type Wallet = AnswerOf<'get_wallet'>;

/** The figures of where the money is, and their proportions as a bar. */
export function Places({ wallet }: { wallet: Wallet }) {
  return (
    <div class="money">
      <dl class="places">
        <div class="place">
          <dt>
            <span class="swatch yours" />
            Yours to spend
          </dt>
          <dd>
            <Usd amount={wallet.balance} />
          </dd>
          <dd class="parts">
            {usdOf(wallet.cash)} cash, {usdOf(wallet.credit)} credit, not withdrawable
          </dd>
        </div>
        <div class="place">
          <dt>
            <span class="swatch held" />
            Held
          </dt>
          <dd>
            <Usd amount={wallet.in_escrow} />
          </dd>
          <dd class="parts">in escrow, until it is paid out or comes back</dd>
        </div>
        <div class={wallet.owed > 0 ? 'place owes' : 'place'}>
          <dt>
            <span class="swatch owed" />
            You owe
          </dt>
          <dd>
            <Usd amount={wallet.owed} />
          </dd>
          <dd class="parts">{wallet.owed > 0 ? 'spending is stopped' : 'nothing'}</dd>
        </div>
      </dl>
      <Bar parts={[wallet.cash, wallet.credit, wallet.in_escrow]} />
    </div>
  );
}

const KINDS = ['cash', 'credit', 'held'] as const;

/** The words beside it say the same, so it is hidden from readers. */
function Bar({ parts }: { parts: readonly number[] }) {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  let x = 0;
  return (
    <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      {whole > 0 &&
        parts.map((part, n) => {
          const width = (part / whole) * 100;
          x += width;
          return (
            <rect class={KINDS[n]} x={(x - width).toFixed(2)} width={width.toFixed(2)} height="4" />
          );
        })}
    </svg>
  );
}
