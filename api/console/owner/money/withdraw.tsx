import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Lead, Pages, Table } from '../../parts/card.tsx';
import { Badge, Usd, usdOf, When } from '../../parts/text.tsx';
import { given } from '../../parts/lists/query.ts';
import { CallButton } from '../calls.tsx';
import { grouped, REVIEW_PATH } from './withdraw_review.tsx';

const PATH = '/console/withdraw';

export const withdraw = page({
  path: PATH,
  title: 'Withdraw',
  access: 'owner',
  nav: { group: 'Money', icon: 'out' },
  live: ['wallet', 'withdrawal'],
  reads: {
    wallet: 'get_wallet',
    withdrawals: ['list_withdrawals', ({ query }: PageQuery) => given(query, 'cursor')],
  },
  does: ['cancel_withdrawal'],
  view: ({ wallet, withdrawals: found }, { query }) => (
    <>
      <Lead title="Withdraw">
        <p>
          <strong>{usdOf(wallet.cash)}</strong> of cash can leave; {usdOf(wallet.credit)} of credit
          cannot. The first payout to a new address waits 24 hours.
        </p>
      </Lead>
      <Card id="new" title="Send money out">
        <form class="form" method="get" action={REVIEW_PATH}>
          <p class="field">
            <label for="amount">Amount, in USD</label>
            <input id="amount" name="amount" inputMode="decimal" maxLength={16} required />
          </p>
          <p class="field">
            <label for="address">Address on Base</label>
            <input id="address" name="address" maxLength={42} autoComplete="off" required />
          </p>
          <p class="buttons">
            <button class="button main">Review</button>
          </p>
        </form>
      </Card>
      <Card id="withdrawals" title="Withdrawals">
        {found.count === 0 ? (
          <Empty>Nothing was withdrawn yet.</Empty>
        ) : (
          <Table
            label="Withdrawals"
            rows={found.withdrawals}
            columns={[
              { head: 'Withdrawal', cell: ({ withdrawal_id }) => `#${withdrawal_id}` },
              {
                head: 'State',
                cell: ({ status, failure, waits_for }) => (
                  <>
                    <Badge state={status} kind={STATES[status] ?? ''} /> {failure ?? waits_for}
                  </>
                ),
              },
              { head: 'To', wide: true, cell: ({ address }) => <code>{grouped(address)}</code> },
              { head: 'Paid at the earliest', cell: ({ pays_from }) => <When at={pays_from} /> },
              { head: 'Amount', right: true, cell: ({ amount }) => <Usd amount={amount} /> },
              {
                head: 'Change',
                cell: ({ withdrawal_id, available_actions, amount }) =>
                  available_actions.map((tool) => (
                    <CallButton
                      call={{ tool, arguments: { withdrawal_id }, needs: [] }}
                      amount={amount}
                    />
                  )),
              },
            ]}
          />
        )}
        <Pages path={PATH} of={found} query={query} />
      </Card>
    </>
  ),
});

const STATES: Readonly<Record<string, string>> = {
  requested: 'held',
  processing: 'held',
  paid: 'yours',
  failed: 'owed',
};
