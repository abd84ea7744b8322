import { page, type Asked } from '../../page.ts';
import { Card, Empty, Older, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Badge, Usd, usdOf, When } from '../../parts/text.tsx';
import { CallButton } from '../calls.tsx';

const PATH = '/console/withdraw';

export const withdraw = page({
  path: PATH,
  title: 'Withdraw',
  access: 'owner',
  nav: { group: 'Money', icon: 'out' },
  live: ['wallet', 'withdrawal'],
  reads: {
    wallet: 'get_wallet',
    withdrawals: [
      'list_withdrawals',
      ({ query }: Asked) => ({ ...(query.cursor && { cursor: query.cursor }) }),
    ],
  },
  does: ['withdraw', 'cancel_withdrawal'],
  view: ({ wallet, withdrawals: found }, { query }) => (
    <>
      <div class="lead">
        <h1>Withdraw</h1>
        <p>
          <strong>{usdOf(wallet.cash)}</strong> of cash can leave; {usdOf(wallet.credit)} of credit
          cannot. The first payout to a new address waits 24 hours.
        </p>
      </div>
      <Card id="new" title="Send money out">
        <Do
          op="withdraw"
          label="Withdraw"
          main
          confirm={{
            title: 'Send this money out?',
            lines: [
              'It is paid in USDC to the address as it stands in the form: compare it once more.',
              'The fee of the network is taken off the amount. What was paid cannot be called back.',
            ],
          }}
        >
          <Fields op="withdraw" only={['amount', 'address']} />
        </Do>
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
                cell: ({ status, failure }) => (
                  <>
                    <Badge state={status} kind={STATES[status] ?? ''} /> {failure}
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
        <Older path={PATH} cursor={found.next_cursor} query={query} />
      </Card>
    </>
  ),
});

/** An address in groups of four, which people compare. */
const grouped = (address: string) => address.replaceAll(/(.{4})(?=.)/g, '$1 ');

const STATES: Readonly<Record<string, string>> = {
  requested: 'held',
  processing: 'held',
  paid: 'yours',
  failed: 'owed',
};
