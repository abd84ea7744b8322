import type { AnswerOf } from '../answers.ts';
import { Empty, Table } from './card.tsx';
import { Usd, usdOf, When, wordsOf } from './text.tsx';

type Wallet = AnswerOf<'get_wallet'>;
type MoneyInMotion = NonNullable<Wallet['held']>;

/** The amounts by where the money is, and their proportions as a bar. */
export function Places({ wallet }: { wallet: Wallet }) {
  const coming = wallet.incoming?.total ?? 0;
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
          <dd class="parts">
            {partsOf(wallet.held) || 'in escrow, until it is paid out or comes back'}
          </dd>
        </div>
        {wallet.incoming && (
          <div class="place">
            <dt>
              <span class="swatch coming" />
              On its way to you
            </dt>
            <dd>
              <Usd amount={coming} />
            </dd>
            <dd class="parts">{partsOf(wallet.incoming) || 'nothing, and not yours before'}</dd>
          </div>
        )}
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
      <Bar parts={[wallet.cash, wallet.credit, wallet.in_escrow, coming]} />
    </div>
  );
}

/** The purposes of the money, in a few words. */
const partsOf = (moving: MoneyInMotion | null): string =>
  (moving?.kinds ?? [])
    .map(({ kind, count, total }) => `${count} ${nounOf(kind, count)} ${usdOf(total)}`)
    .join(', ');

const NOUNS: Readonly<Record<string, string>> = { labor_claim: 'delivery', labor_task: 'labor' };
function nounOf(kind: string, count: number): string {
  const noun = NOUNS[kind] ?? kind;
  if (count === 1 || noun === 'labor') return noun;
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

const KINDS = ['cash', 'credit', 'held', 'coming'] as const;

/** The words beside it say the same, so it is hidden from screen readers. */
function Bar({ parts }: { parts: readonly number[] }) {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  let x = 0;
  return (
    <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <pattern id="coming-stripes" width="1.2" height="4" patternUnits="userSpaceOnUse">
        <rect class="under" width="1.2" height="4" />
        <path class="stripe" d="M0 4 L0.6 0 H1.2 L0.6 4 Z" />
      </pattern>
      {whole > 0 &&
        parts.map((part, n) => {
          const width = (part / whole) * 100;
          x += width;
          return (
            <rect
              class={KINDS[n]}
              fill={KINDS[n] === 'coming' ? 'url(#coming-stripes)' : undefined}
              x={(x - width).toFixed(2)}
              width={width.toFixed(2)}
              height="4"
            />
          );
        })}
    </svg>
  );
}

/** Paths of the objects that money is held for, or comes from. */
const PATHS: Readonly<Record<string, string>> = {
  order: '/console/orders',
  task: '/console/work',
  labor_task: '/console/labor',
};

/** Money that is held or incoming, by the date of its release. */
export function MoneyMoving({ moving, label }: { moving: MoneyInMotion; label: string }) {
  if (moving.count === 0) return <Empty>Nothing at the moment.</Empty>;
  return (
    <>
      <Table
        label={label}
        rows={moving.items}
        columns={[
          {
            head: 'Object',
            cell: ({ kind, id }) => {
              const text = `${wordsOf(kind)} ${id}`;
              return PATHS[kind] ? <a href={`${PATHS[kind]}/${id}`}>{text}</a> : text;
            },
          },
          {
            head: 'With',
            wide: true,
            cell: ({ party }) => party !== null && <bdi>{party}</bdi>,
          },
          { head: 'Until', cell: ({ ends_at }) => (ends_at ? <When at={ends_at} /> : 'open') },
          { head: 'If nobody does anything', wide: true, cell: ({ happens }) => happens },
          {
            head: 'Amount',
            right: true,
            cell: ({ amount }) => (amount === null ? 'not known yet' : <Usd amount={amount} />),
          },
        ]}
      />
      {moving.count > moving.items.length && (
        <p class="inside small dim">
          {moving.count - moving.items.length} more end later. All: {usdOf(moving.total)}.
        </p>
      )}
    </>
  );
}
