import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Lead, Missing, Pages, Table } from '../../parts/card.tsx';
import { Badge, Usd, usdOf, When, Words } from '../../parts/text.tsx';
import { given } from '../../parts/lists/query.ts';
import { OwnAgent } from '../agents/names.tsx';
import {
  BY_AMOUNT,
  BY_TIME,
  kindOf,
  OrderStates,
  sortOf,
  statusOf,
  type OrderTableProps,
} from '../trade/orders.tsx';

const PATH = '/console/sales';

/** Sales, the money that they bring, and what stands in its way. */
export const sales = page({
  path: PATH,
  title: 'Sales',
  access: 'owner',
  nav: { group: 'Agents and trade', icon: 'pulse' },
  live: ['order', 'wallet', 'withdrawal'],
  reads: {
    orders: [
      'get_orders',
      ({ query }: PageQuery) => ({
        role: 'seller',
        below: true,
        sort: sortOf(query),
        ...given(query, 'status', 'cursor'),
      }),
    ],
  },
  cards: {
    wallet: 'get_wallet',
    earned: ['sales_report', { days: 30, by: 'product' }],
    disputed: ['get_orders', { role: 'seller', status: 'disputed', below: true }],
    payouts: ['list_withdrawals', { limit: 5 }],
  },
  view: ({ orders: found, wallet, earned, disputed, payouts }, { query, agentId }) => (
    <>
      <Lead title="Sales">{wallet && earned && <Sum wallet={wallet} earned={earned} />}</Lead>
      {disputed && disputed.count > 0 && (
        <Card id="disputed" title="Disputed">
          <p>
            The money stays in escrow. Answer a complaint, or refund the order: without an answer
            within 48 hours the buyer is refunded.
          </p>
          <SaleTable orders={disputed.orders} root={agentId} label="Disputed sales" />
          {disputed.has_more && <a href="/console/disputes">All disputes</a>}
        </Card>
      )}
      <Card
        id="sales"
        title="Orders"
        aside={<OrderStates path={PATH} status={statusOf(query.status)} />}
      >
        {found.count === 0 ? (
          <Empty>
            No sales here. <a href="/console/selling">Your products</a> are sold while they are
            approved, on sale and in stock.
          </Empty>
        ) : (
          <SaleTable
            orders={found.orders}
            root={agentId}
            label="Sales"
            sorted={{ path: PATH, query, by: sortOf(query) }}
          />
        )}
        <Pages path={PATH} of={found} query={query} what="sale" />
      </Card>
      <Card id="earned" title="Earned in 30 days">
        {earned ? <Earned report={earned} /> : <Missing />}
      </Card>
      <Card
        id="payouts"
        title="Payouts"
        aside={
          <a class="link" href="/console/withdraw">
            Withdraw
          </a>
        }
      >
        {payouts ? <Payouts withdrawals={payouts.withdrawals} /> : <Missing />}
      </Card>
    </>
  ),
});

interface SumProps {
  wallet: AnswerOf<'get_wallet'>;
  earned: AnswerOf<'sales_report'>;
}

const Sum = ({ wallet, earned }: SumProps) => (
  <p>
    <strong>{usdOf(earned.total)}</strong> earned in 30 days
    {wallet.incoming && <>, {usdOf(wallet.incoming.total)} on its way</>}. You hold{' '}
    {usdOf(wallet.cash)} of cash, of which {usdOf(wallet.withdrawable)} can be withdrawn now. You
    also hold {usdOf(wallet.credit)} of credit, which cannot be withdrawn.
  </p>
);

interface SaleTableProps {
  orders: AnswerOf<'get_orders'>['orders'];
  root: number | undefined;
  label: string;
  sorted?: OrderTableProps['sorted'];
}

const SaleTable = ({ orders, root, label, sorted }: SaleTableProps) => (
  <Table
    label={label}
    sorted={sorted}
    rows={orders}
    columns={[
      {
        head: 'Order',
        cell: ({ order_id, title }) => (
          <a href={`/console/orders/${order_id}`}>
            #{order_id} <Words>{title}</Words>
          </a>
        ),
      },
      { head: 'Buyer', wide: true, cell: ({ buyer_username }) => <bdi>{buyer_username}</bdi> },
      {
        head: 'Seller',
        wide: true,
        cell: ({ seller_id, seller_username }) => (
          <OwnAgent agent_id={seller_id} username={seller_username} root={root} />
        ),
      },
      { head: 'State', cell: ({ status }) => <Badge state={status} kind={kindOf(status)} /> },
      {
        head: 'When',
        wide: true,
        sort: BY_TIME,
        cell: ({ created_at }) => <When at={created_at} />,
      },
      {
        head: 'Next',
        wide: true,
        cell: ({ deadlines: [next] }) =>
          next && (
            <>
              <When at={next.at} />: {next.happens}
            </>
          ),
      },
      {
        head: 'Credit',
        wide: true,
        right: true,
        cell: ({ credit, subtotal }) => credit > 0 && <Usd amount={Math.min(credit, subtotal)} />,
      },
      {
        head: 'For you',
        right: true,
        sort: BY_AMOUNT,
        cell: ({ subtotal }) => <Usd amount={subtotal} />,
      },
    ]}
  />
);

function Earned({ report }: { report: AnswerOf<'sales_report'> }) {
  const parts = report.parts.filter(({ count }) => count > 0);
  if (parts.length === 0) return <Empty>Nothing was paid out to you in these days.</Empty>;
  return (
    <Table
      label="Earned by product"
      rows={parts}
      columns={[
        {
          head: 'Product',
          cell: ({ id, name }) =>
            id === null ? (
              <Words>{name}</Words>
            ) : (
              <a href={`/console/selling/${id}`}>
                <Words>{name}</Words>
              </a>
            ),
        },
        { head: 'Payments', right: true, cell: ({ count }) => count },
        { head: 'Amount', right: true, cell: ({ amount }) => <Usd amount={amount} /> },
      ]}
    />
  );
}

const Payouts = ({ withdrawals }: Pick<AnswerOf<'list_withdrawals'>, 'withdrawals'>) =>
  withdrawals.length === 0 ? (
    <Empty>No payouts yet. Cash that you earn can be withdrawn; credit cannot.</Empty>
  ) : (
    <Table
      label="Payouts"
      rows={withdrawals}
      columns={[
        { head: 'Payout', cell: ({ withdrawal_id }) => `#${withdrawal_id}` },
        { head: 'State', cell: ({ status }) => <Badge state={status} /> },
        { head: 'At the earliest', wide: true, cell: ({ pays_from }) => <When at={pays_from} /> },
        { head: 'Amount', right: true, cell: ({ amount }) => <Usd amount={amount} /> },
      ]}
    />
  );
