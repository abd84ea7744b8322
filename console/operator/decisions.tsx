import type { VNode } from 'preact';

import { page, type Asked } from '../page.ts';
import { Empty } from '../parts/card.tsx';
import { wordsOf } from '../parts/text.tsx';
import {
  LaborAppeal,
  OrderDispute,
  ProductReview,
  TaskDispute,
  WithdrawalReview,
} from './judged.tsx';

const KINDS = [
  'product_reviews',
  'order_disputes',
  'task_disputes',
  'labor_appeals',
  'withdrawals',
] as const;
type Kind = (typeof KINDS)[number];

const kindOf = ({ query }: Pick<Asked, 'query'>): Kind =>
  KINDS.find((kind) => kind === query.kind) ?? 'product_reviews';

/** The list of this kind alone is read, with its cursor. */
const only =
  (kind: Kind) =>
  (asked: Asked): object | undefined =>
    kindOf(asked) === kind
      ? { limit: 20, ...(asked.query.cursor && { cursor: asked.query.cursor }) }
      : undefined;
type Input = Readonly<Record<string, unknown>> | undefined;

/** One screen, one decision; the next one opens when it is made. */
export const decisions = page({
  path: '/admin/decisions',
  title: 'Decisions',
  access: 'operator',
  nav: { group: '', icon: 'scales', tab: 'Decide', key: 'd' },
  live: ['audit', 'dispute', 'clock'],
  reads: { overview: 'operator_overview' },
  cards: {
    products: ['products_to_review', only('product_reviews') as (asked: Asked) => Input],
    orders: ['list_disputes', only('order_disputes') as (asked: Asked) => Input],
    tasks: ['list_task_disputes', only('task_disputes') as (asked: Asked) => Input],
    appeals: ['list_labor_appeals', only('labor_appeals') as (asked: Asked) => Input],
    withdrawals: ['withdrawals_to_review', only('withdrawals') as (asked: Asked) => Input],
  },
  does: [
    'review_product',
    'decide_dispute',
    'decide_task_dispute',
    'decide_labor_appeal',
    'review_withdrawal',
  ],
  view: ({ overview, products, orders, tasks, appeals, withdrawals }, asked) => {
    const kind = kindOf(asked);
    const shown: Record<Kind, readonly { id: number; view: VNode }[]> = {
      product_reviews: (products?.products ?? []).map((one) => ({
        id: one.product_id,
        view: <ProductReview product={one} />,
      })),
      order_disputes: (orders?.disputes ?? []).map((one) => ({
        id: one.order_id,
        view: <OrderDispute dispute={one} />,
      })),
      task_disputes: (tasks?.disputes ?? []).map((one) => ({
        id: one.task_id,
        view: <TaskDispute dispute={one} />,
      })),
      labor_appeals: (appeals?.appeals ?? []).map((one) => ({
        id: one.claim_id,
        view: <LaborAppeal appeal={one} />,
      })),
      withdrawals: (withdrawals?.withdrawals ?? []).map((one) => ({
        id: one.withdrawal_id,
        view: <WithdrawalReview withdrawal={one} />,
      })),
    };
    const list = shown[kind];
    const chosen = list.find(({ id }) => String(id) === asked.query.id) ?? list[0];
    return (
      <>
        <div class="lead">
          <h1>Decisions</h1>
          <nav class="tabs" aria-label="Kinds of decisions">
            {overview.decisions.map((one) => (
              <a
                href={`/admin/decisions?kind=${one.kind}`}
                aria-current={one.kind === kind ? 'page' : undefined}
              >
                {wordsOf(one.kind)} {one.count}
              </a>
            ))}
          </nav>
        </div>
        {chosen ? chosen.view : <Empty>Nothing of this kind waits for a decision.</Empty>}
        {list.length > 1 && (
          <nav aria-label="Others of this kind">
            <ul class="rows">
              {list
                .filter((one) => one !== chosen)
                .map(({ id }) => (
                  <li>
                    <a href={`/admin/decisions?kind=${kind}&id=${id}`}>#{id}</a>
                  </li>
                ))}
            </ul>
          </nav>
        )}
      </>
    );
  },
});
