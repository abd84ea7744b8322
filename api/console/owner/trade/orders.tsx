import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Lead, Pages, Table } from '../../parts/card.tsx';
import { Filter } from '../../parts/lists/filter.tsx';
import { Badge, Usd, When, Words } from '../../parts/text.tsx';
import { given, pathWith } from '../../parts/lists/query.ts';
import { AgentField, OwnAgent, TREE } from '../agents/names.tsx';

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
        below: true,
        ...(query.agent && { agent_id: query.agent }),
        sort: sortOf(query),
        ...given(query, 'role', 'status', 'cursor'),
      }),
    ],
  },
  cards: { names: TREE },
  view: ({ orders: found, names }, { query, agentId }) => (
    <>
      <Lead title="Orders and vault">
        <p>Delivered goods stay in the vault of their order, where you can open them.</p>
      </Lead>
      <Card
        id="orders"
        title={roleOf(query.role) === 'buyer' ? 'Bought' : 'Sold'}
        aside={<Roles {...query} role={roleOf(query.role)} status={statusOf(query.status)} />}
      >
        {names && names.names.length > 0 && <OfAgent names={names} query={query} />}
        {found.count === 0 ? (
          <Empty>
            No orders yet. Purchases and sales appear here, with the state of their money.
          </Empty>
        ) : (
          <OrderTable
            orders={found.orders}
            role={roleOf(query.role)}
            root={agentId}
            sorted={{ path: PATH, query, by: sortOf(query) }}
          />
        )}
        <Pages path={PATH} of={found} query={query} what="order" />
      </Card>
    </>
  ),
});

/** The order of a list, the newest first if its address has none. */
export const sortOf = ({ sort }: PageQuery['query']): string => sort || 'newest';

/** Selects whose orders are shown. */
const OfAgent = ({ names, query }: OfAgentProps) => (
  <Filter path={PATH} query={query} keep={['role', 'status', 'sort']}>
    <AgentField names={names} chosen={query.agent} none="all agents" />
  </Filter>
);

interface OfAgentProps {
  names: AnswerOf<'agent_names'>;
  query: PageQuery['query'];
}

type Order = AnswerOf<'get_orders'>['orders'][number];

interface RolesProps {
  role: string;
  status: string | undefined;
  agent?: string | undefined;
  sort?: string | undefined;
}

const Roles = ({ role, status, agent, sort }: RolesProps) => (
  <>
    <span class="tabs">
      {(['buyer', 'seller'] as const).map((one) => (
        <a
          href={pathWith(PATH, { role: one, status, agent, sort })}
          aria-current={one === role ? 'true' : undefined}
        >
          {one === 'buyer' ? 'Bought' : 'Sold'}
        </a>
      ))}
    </span>
    <OrderStates path={pathWith(PATH, { role, agent, sort })} status={status} />
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

export const OrderTable = ({
  orders: rows,
  role,
  root,
  label = 'Orders',
  sorted,
}: OrderTableProps) => (
  <Table
    label={label}
    sorted={sorted}
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
      {
        head: 'When',
        wide: true,
        sort: BY_TIME,
        cell: ({ created_at }) => <When at={created_at} />,
      },
      {
        head: 'Deadline',
        wide: true,
        sort: [['due', 'ascending']],
        cell: ({ deadlines }) => deadlines[0] && <When at={deadlines[0].at} />,
      },
      {
        head: 'Amount',
        right: true,
        sort: BY_AMOUNT,
        cell: ({ total_due }) => <Usd amount={total_due} />,
      },
    ]}
  />
);

export const BY_TIME = [
  ['newest', 'descending'],
  ['oldest', 'ascending'],
] as const;
/** Sorts a column of numbers or times, at first by the largest. */
export const byLargest = (name: string) =>
  [
    [`${name}_desc`, 'descending'],
    [`${name}_asc`, 'ascending'],
  ] as const;
export const BY_AMOUNT = byLargest('amount');

export interface OrderTableProps {
  orders: readonly Order[];
  /** The reader's side. */
  role: 'buyer' | 'seller';
  root: number | undefined;
  label?: string;
  sorted?: Parameters<typeof Table>[0]['sorted'];
}

/** The hue for where the money of an order is. */
export const kindOf = (status: string): string => {
  if (status === 'escrow' || status === 'pending_approval') return 'held';
  if (status === 'disputed') return 'owed';
  return status === 'completed' ? 'yours' : '';
};

/** States of a purchase that its owner has not approved, so that nothing is paid. */
export const UNPAID: readonly string[] = ['pending_approval', 'cancelled', 'expired'];

/** The word before the sum of an order. */
export const paidOf = (status: string): string =>
  status === 'pending_approval' ? 'To be paid' : UNPAID.includes(status) ? 'Never paid' : 'Paid';
