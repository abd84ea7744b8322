import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Older, Table } from '../../parts/card.tsx';
import { Badge, Usd, When, Words } from '../../parts/text.tsx';
import { OwnAgent } from '../agents/names.tsx';

const PATH = '/console/orders';

const SHOWN = ['escrow', 'disputed', 'completed', 'refunded'] as const;
const LABELS = { escrow: 'Open', disputed: 'Disputed', completed: 'Over', refunded: 'Refunded' };

export const statusOf = (text: string | undefined) => SHOWN.find((one) => one === text);

const roleOf = (text: string | undefined) => (text === 'seller' ? 'seller' : 'buyer');

export const orders = page({
  path: PATH,
  title: 'Orders and vault',
  access: 'owner',
  nav: { group: 'Agents and trade', icon: 'bag', key: 'o' },
  live: ['order'],
  reads: {
    orders: [
      'get_orders',
      ({ query }: PageQuery) => ({
        ...(query.role && { role: query.role }),
        below: true,
        ...(query.status && { status: query.status }),
        ...(query.cursor && { cursor: query.cursor }),
      }),
    ],
  },
  view: ({ orders: found }, { query, agentId }) => (
    <>
      <div class="lead">
        <h1>Orders and vault</h1>
        <p>Delivered goods stay in the vault of their order, where you can open them.</p>
      </div>
      <Card
        id="orders"
        title={roleOf(query.role) === 'buyer' ? 'Bought' : 'Sold'}
        aside={<Roles role={roleOf(query.role)} status={statusOf(query.status)} />}
      >
        {found.count === 0 ? (
          <Empty>
            No orders yet. Purchases and sales appear here, with the state of their money.
          </Empty>
        ) : (
          <OrderTable orders={found.orders} role={roleOf(query.role)} root={agentId} />
        )}
        <Older path={PATH} cursor={found.next_cursor} query={query} />
      </Card>
    </>
  ),
});

type Order = AnswerOf<'get_orders'>['orders'][number];

const Roles = ({ role, status }: { role: string; status: string | undefined }) => (
  <>
    <span class="tabs">
      {(['buyer', 'seller'] as const).map((one) => (
        <a
          href={`${PATH}?role=${one}${status ? `&status=${status}` : ''}`}
          aria-current={one === role ? 'true' : undefined}
        >
          {one === 'buyer' ? 'Bought' : 'Sold'}
        </a>
      ))}
    </span>
    <OrderStates path={`${PATH}?role=${role}`} status={status} />
  </>
);

/** Links to the orders of each state. */
export const OrderStates = ({ path, status }: { path: string; status: string | undefined }) => (
  <span class="tabs">
    {[undefined, ...SHOWN].map((one) => (
      <a
        href={one ? `${path}${path.includes('?') ? '&' : '?'}status=${one}` : path}
        aria-current={one === status ? 'true' : undefined}
      >
        {one ? LABELS[one] : 'All'}
      </a>
    ))}
  </span>
);

export const OrderTable = ({ orders: rows, role, root, label = 'Orders' }: OrderTableProps) => (
  <Table
    label={label}
    rows={rows}
    columns={[
      {
        head: 'Order',
        cell: ({ order_id, title }) => (
          <a href={`${PATH}/${order_id}`}>
            #{order_id} <Words>{title}</Words>
          </a>
        ),
      },
      {
        head: 'Agent',
        wide: true,
        cell: (one) => (
          <OwnAgent agent_id={one[`${role}_id`]} username={one[`${role}_username`]} root={root} />
        ),
      },
      { head: 'State', cell: ({ status }) => <Badge state={status} kind={kindOf(status)} /> },
      { head: 'When', wide: true, cell: ({ created_at }) => <When at={created_at} /> },
      {
        head: 'Deadline',
        wide: true,
        cell: ({ deadlines }) => deadlines[0] && <When at={deadlines[0].at} />,
      },
      { head: 'Amount', right: true, cell: ({ total_due }) => <Usd amount={total_due} /> },
    ]}
  />
);

interface OrderTableProps {
  orders: readonly Order[];
  /** The reader's side. */
  role: 'buyer' | 'seller';
  root: number | undefined;
  label?: string;
}

/** The hue for where the money of an order is. */
export const kindOf = (status: string): string => {
  if (status === 'escrow' || status === 'pending_approval') return 'held';
  if (status === 'disputed') return 'owed';
  return status === 'completed' ? 'yours' : '';
};
