import { page } from '../../page.ts';
import { Card, Empty, Lead } from '../../parts/card.tsx';
import { OrderTable } from './orders.tsx';
import { DISPUTED_SALES, ToDo } from '../todo_list.tsx';

const isOfDispute = (kind: string) => kind.includes('dispute') || kind.includes('appeal');

export const disputes = page({
  path: '/console/disputes',
  title: 'Disputes',
  access: 'owner',
  nav: { group: 'Agents and trade', icon: 'scales' },
  live: ['order', 'task', 'labor'],
  reads: {
    todo: ['inbox', { limit: 100 }],
    bought: ['get_orders', { role: 'buyer', status: 'disputed', below: true, limit: 100 }],
    sold: DISPUTED_SALES,
  },
  does: ['refund_order', 'withdraw_dispute', 'labor_appeal'],
  view: ({ todo, bought, sold }, { agentId }) => {
    const open = [
      ['buyer', 'bought', bought],
      ['seller', 'sold', sold],
    ] as const;
    return (
      <>
        <Lead title="Disputes">
          <p>
            Money that is disputed stays in escrow. A sale that is not answered in time is refunded.
          </p>
        </Lead>
        <Card id="waiting" title="Waits for you">
          <ToDo items={todo.inbox.filter(({ kind }) => isOfDispute(kind))} sales={sold.orders} />
        </Card>
        {open.map(([role, done, { count, orders }]) => (
          <Card id={role} title={`Open, of what you and your agents ${done}`}>
            {count === 0 ? (
              <Empty>No order is disputed.</Empty>
            ) : (
              <OrderTable {...{ orders, role, root: agentId }} label={`Disputed, ${done}`} />
            )}
          </Card>
        ))}
      </>
    );
  },
});
