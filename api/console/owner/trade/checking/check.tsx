import type { AnswerOf } from '../../../answers.ts';
import { page, type PageQuery } from '../../../page.ts';
import { Card, Empty, Lead, Pages, Table } from '../../../parts/card.tsx';
import { ProblemOf } from '../../../parts/choices.tsx';
import { Do } from '../../../parts/do.tsx';
import { Fields } from '../../../parts/fields.tsx';
import { Badge, plural, Usd, usdOf, When, Words } from '../../../parts/text.tsx';
import { given } from '../../../parts/lists/query.ts';
import { OwnAgent, withoutRoot } from '../../agents/names.tsx';
import { BY_AMOUNT, BY_TIME, sortOf } from '../orders.tsx';
import { GoodsChecks } from './goods_check.tsx';

const PATH = '/console/check';

/** Delivered orders that can still be disputed. Each is paid by itself when its time is over. */
export const check = page({
  path: PATH,
  title: 'Orders to check',
  access: 'owner',
  nav: { group: 'Agents and trade', icon: 'check' },
  live: ['order'],
  reads: {
    orders: [
      'get_orders',
      (asked: PageQuery) => ({
        status: 'escrow',
        below: true,
        ...(asked.query.agent && { agent_id: asked.query.agent }),
        sort: sortOf(asked.query),
        ...given(asked.query, 'cursor'),
      }),
    ],
    rule: 'get_confirm_rule',
    checks: 'list_goods_checks',
    verdicts: ['list_goods_verdicts', { below: true, limit: 100 }],
  },
  does: ['confirm_orders', 'set_confirm_rule', 'set_goods_check'],
  view: ({ orders: found, rule, checks, verdicts }, asked) => (
    <>
      <Lead title="Orders to check">
        <p>
          These were delivered to you and your agents. If you do nothing, each seller is paid at the
          time below. Until then you can open an order and dispute it.
        </p>
      </Lead>
      <Card
        id="orders"
        title={asked.query.agent ? 'Orders of one agent' : 'Orders of all agents'}
        aside={
          asked.query.agent && (
            <a class="link" href={PATH}>
              All agents
            </a>
          )
        }
      >
        {found.count === 0 ? (
          <Empty>Nothing to check. Delivered orders stand here until their seller is paid.</Empty>
        ) : (
          <Do
            op="confirm_orders"
            label="Pay the sellers of the ticked orders"
            confirm={{
              title: 'Pay these sellers now?',
              lines: [
                'The seller of each ticked order is paid: all of them, or none.',
                'This cannot be undone. A confirmed order can be neither disputed nor refunded.',
              ],
            }}
          >
            <ProblemOf op="confirm_orders" field="order_ids" />
            <Orders orders={found.orders} verdicts={verdicts.goods_verdicts} asked={asked} />
          </Do>
        )}
        <Pages path={PATH} of={found} query={asked.query} what="order" />
      </Card>
      <Card id="rule" title="Confirm small orders by themselves">
        <p>
          {rule.enabled
            ? `On: an order of up to ${usdOf(rule.amount_max)} is confirmed ` +
              `${plural(rule.hours, 'hour')} after its vault was first opened.`
            : 'Off: each seller is paid when you confirm, or when the escrow ends.'}{' '}
          Until then you can dispute it. What you save is for vaults that are opened later.
        </p>
        <Do op="set_confirm_rule" label="Save the rule">
          <Fields op="set_confirm_rule" only={['enabled', 'amount_max', 'hours']} values={rule} />
        </Do>
      </Card>
      <GoodsChecks checks={checks.goods_checks} />
    </>
  ),
});

interface OrdersProps {
  orders: AnswerOf<'get_orders'>['orders'];
  verdicts: AnswerOf<'list_goods_verdicts'>['goods_verdicts'];
  asked: PageQuery;
}

const Orders = ({ orders, verdicts, asked: { query, agentId } }: OrdersProps) => (
  <Table
    label="Orders to check"
    sorted={{ path: PATH, query, by: sortOf(query) }}
    rows={orders}
    columns={[
      {
        head: 'Order',
        cell: ({ order_id: id, title, available_actions: actions, ...one }) => (
          <>
            {actions.includes('confirm_order') && (
              <input
                type="checkbox"
                name="order_ids"
                value={id}
                aria-label={`Order ${id}, ${title}`}
              />
            )}{' '}
            <a href={`/console/orders/${id}`}>
              #{id} <Words>{title}</Words>
            </a>
            <Verdict on={id} verdicts={verdicts} />
            <span class="note narrow-only">
              by <Words>{withoutRoot(one.buyer_username)}</Words>
              {one.release_at && (
                <>
                  , paid on <When at={one.release_at} />
                </>
              )}
            </span>
          </>
        ),
      },
      {
        head: 'Agent',
        wide: true,
        cell: ({ buyer_id: id, buyer_username: name }) => (
          <>
            <OwnAgent agent_id={id} username={name} root={agentId} />{' '}
            <a class="small" href={`${PATH}?agent=${id}`}>
              <span class="hidden">{withoutRoot(name)}: </span>only these
            </a>
          </>
        ),
      },
      { head: 'Seller', wide: true, cell: ({ seller_username }) => <bdi>{seller_username}</bdi> },
      {
        head: 'Vault',
        wide: true,
        cell: ({ revealed_at: at }) => (at ? <When at={at} /> : 'not opened'),
      },
      {
        head: 'Paid on',
        wide: true,
        sort: [['due', 'ascending'], BY_TIME[0]],
        cell: ({ release_at: at }) => at && <When at={at} />,
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

/** The verdict of a check on the goods of an order, beside its title. */
function Verdict({ on, verdicts }: Pick<OrdersProps, 'verdicts'> & { on: number }) {
  const verdict = verdicts.find(({ order_id }) => order_id === on);
  if (!verdict) return null;
  const { passes } = verdict;
  return (
    <>
      {' '}
      <Badge state={passes ? 'passed its check' : 'failed its check'} kind={passes ? '' : 'owed'} />
    </>
  );
}
