import { page } from '../../page.ts';
import { Card, Empty } from '../../parts/card.tsx';
import { OrderTable } from './orders.tsx';
import { ToDo } from '../todo_list.tsx';

const isOfDispute = (kind: string) => kind.includes('dispute') || kind.includes('appeal');

export const disputes = page({
  path: '/console/disputes',
  title: 'Disputes',
  access: 'owner',
  nav: { group: 'Agents and trade', icon: 'scales' },
  live: ['order', 'task', 'labor'],
  reads: {
    todo: ['inbox', { limit: 100 }],
    bought: ['get_orders', { role: 'buyer', limit: 100 }],
    sold: ['get_orders', { role: 'seller', limit: 100 }],
  },
  does: ['refund_order', 'withdraw_dispute', 'labor_appeal'],
  view: ({ todo, bought, sold }) => {
    const open = [...bought.orders, ...sold.orders].filter(({ status }) => status === 'disputed');
    return (
      <>
        <div class="lead">
          <h1>Disputes</h1>
          <p>
            Money that is disputed stays in escrow. A sale that is not answered in time is refunded.
          </p>
        </div>
        <Card id="waiting" title="Waits for you">
          <ToDo items={todo.inbox.filter(({ kind }) => isOfDispute(kind))} />
        </Card>
        <Card id="open" title="Open, among your latest orders">
          {open.length === 0 ? <Empty>No order is disputed.</Empty> : <OrderTable orders={open} />}
        </Card>
      </>
    );
  },
});
