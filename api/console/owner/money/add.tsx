import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Lead, Missing, Pages, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Once } from '../../parts/message.tsx';
import { Badge, Usd, usdOf, Words, wordsOf } from '../../parts/text.tsx';
import { given } from '../../parts/lists/query.ts';
import { useShown } from '../../page_state.ts';
import { ChainWay, FINDS } from './chain_way.tsx';
import { MissingPayment } from './missing_payment.tsx';

const PATH = '/console/add';

type Wallet = AnswerOf<'get_wallet'>;
type Method = Wallet['deposit_methods'][number];

export const add = page({
  path: PATH,
  title: 'Add money',
  access: 'owner',
  nav: { group: 'Money', icon: 'plus' },
  live: ['wallet', 'deposit'],
  reads: { wallet: 'get_wallet' },
  cards: {
    deposits: [
      'list_deposits',
      ({ query }: PageQuery) => ({ limit: 10, ...given(query, 'cursor') }),
    ],
    recharge: 'get_auto_recharge',
    claims: ['list_deposit_claims', () => ({ limit: 10 })],
  },
  does: ['set_auto_recharge', 'claim_deposit', ...FINDS],
  shows: ['stripe_topup', 'evm_info', 'tron_info'],
  view: ({ wallet, deposits, recharge, claims }, { query }) => (
    <>
      <Lead title="Add money">
        <p>
          You have <strong>{usdOf(wallet.balance)}</strong>. One way at a time is shown.
        </p>
      </Lead>
      <Once id="checkout">
        <Checkout />
      </Once>
      <Rails methods={wallet.deposit_methods} chosen={query.rail} />
      <Card id="deposits" title="Deposits">
        {deposits ? <Deposits deposits={deposits} /> : <Missing />}
        {deposits && <Pages path={PATH} of={deposits} query={query} />}
      </Card>
      <MissingPayment methods={wallet.deposit_methods} claims={claims?.claims ?? []} />
      {recharge &&
        wallet.deposit_methods.some(({ rail, enabled }) => rail === 'card' && enabled) && (
          <Card id="recharge" title="Auto-recharge">
            <p>
              {recharge.enabled ? 'On.' : 'Off.'}{' '}
              {recharge.card
                ? `Charged to ${recharge.card.brand} ${recharge.card.last4}.`
                : 'It needs a card that was saved when money was added by card.'}
            </p>
            <Do op="set_auto_recharge" label="Save">
              <Fields
                op="set_auto_recharge"
                only={['enabled', 'threshold', 'amount', 'monthly_limit']}
                values={recharge}
              />
            </Do>
          </Card>
        )}
    </>
  ),
});

/** A payment that was begun: the person continues on the payment page. */
function Checkout() {
  const { done } = useShown();
  if (done?.operation !== 'stripe_topup' || !done.answer) return null;
  const { checkout_url: url, amount } = done.answer as { checkout_url: string; amount: number };
  return (
    <section class="message yours" aria-label="Payment">
      <p>
        {usdOf(amount)} is paid at Stripe, and is yours some seconds afterwards. The link is good
        for this one payment.
      </p>
      <p>
        <a class="button main" href={url}>
          Pay {usdOf(amount)} at Stripe
        </a>
      </p>
    </section>
  );
}

function Rails({ methods, chosen }: { methods: readonly Method[]; chosen: string | undefined }) {
  const offered = methods.filter(({ enabled }) => enabled);
  const off = methods.filter(({ enabled }) => !enabled);
  const method = offered.find(({ rail }) => rail === chosen) ?? offered[0];
  return (
    <Card id="ways" title="Payment methods">
      <div class="inside stack">
        {method ? (
          <>
            <nav class="tabs" aria-label="Ways to add money">
              {offered.map(({ rail }) => (
                <a
                  href={`${PATH}?rail=${rail}`}
                  aria-current={rail === method.rail ? 'true' : undefined}
                >
                  {wordsOf(rail)}
                </a>
              ))}
            </nav>
            {method.network === 'sandbox' && (
              <p>
                <Badge state="play money" kind="held" /> This way is a sandbox: nothing of value is
                paid or credited.
              </p>
            )}
            {method.rail === 'card' ? <CardForm /> : <ChainWay method={method} />}
          </>
        ) : (
          <Empty>This marketplace takes no money at the moment.</Empty>
        )}
        {off.length > 0 && (
          <p class="small dim">Off: {off.map(({ rail }) => wordsOf(rail)).join(', ')}.</p>
        )}
      </div>
    </Card>
  );
}

const CardForm = () => (
  <Do op="stripe_topup" label="Go on to pay" main>
    <Fields op="stripe_topup" values={{ amount: 20 }} />
  </Do>
);

function Deposits({ deposits }: { deposits: AnswerOf<'list_deposits'> }) {
  if (deposits.count === 0) return <Empty>No deposits yet. They appear here at once.</Empty>;
  return (
    <Table
      label="Deposits"
      rows={deposits.deposits}
      columns={[
        { head: 'Deposit', cell: ({ deposit_id }) => `#${deposit_id}` },
        { head: 'By', cell: ({ rail }) => wordsOf(rail) },
        {
          head: 'State',
          cell: ({ status, reason }) => (
            <>
              <Badge state={status} kind={STATES[status] ?? ''} /> {reason}
            </>
          ),
        },
        {
          head: 'Sent',
          wide: true,
          cell: ({ asset }) => <Words>{asset}</Words>,
        },
        { head: 'Credited', right: true, cell: ({ usd }) => usd !== null && <Usd amount={usd} /> },
      ]}
    />
  );
}

const STATES: Readonly<Record<string, string>> = {
  detected: 'coming',
  confirming: 'coming',
  credited: 'yours',
  rejected: 'owed',
  reversed: 'owed',
};
