import type { VNode } from 'preact';

import { cursorAt } from '../../../../shared/kernel/paging.ts';
import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Empty, Lead } from '../../parts/card.tsx';
import { wordsOf } from '../../parts/text.tsx';
import { given } from '../../parts/lists/query.ts';
import {
  LaborAppeal,
  OrderDispute,
  ProductReview,
  TaskDispute,
  WithdrawalReview,
} from './decision_cards.tsx';
import { ShownEvidence, type Evidence } from './evidence.tsx';
import { PaymentDecision } from './payment_decision.tsx';

const KINDS = [
  'product_reviews',
  'order_disputes',
  'task_disputes',
  'labor_appeals',
  'withdrawals',
  'payments',
] as const;
type Kind = (typeof KINDS)[number];

const kindOf = ({ query }: Pick<PageQuery, 'query'>): Kind =>
  KINDS.find((kind) => kind === query.kind) ?? 'product_reviews';

/** Only the list of this kind is read, by its cursor. */
const only =
  (kind: Kind) =>
  (asked: PageQuery): object | undefined =>
    kindOf(asked) === kind ? { limit: 10, ...given(asked.query, 'cursor') } : undefined;
type Input = Readonly<Record<string, unknown>> | undefined;

/** The kinds in dispute, as dispute_evidence and list_dispute_messages name them. */
const DISPUTES: Partial<Record<Kind, string>> = {
  order_disputes: 'order',
  task_disputes: 'task',
  labor_appeals: 'labor',
};

/** The id of the object that is named; 0: none. */
const idOf = ({ query }: PageQuery) => (/^\d{1,9}$/.test(query.id ?? '') ? Number(query.id) : 0);

const evidenceOf = (asked: PageQuery): Input => {
  const kind = DISPUTES[kindOf(asked)];
  return kind && idOf(asked) > 0 ? { kind, id: idOf(asked) } : undefined;
};

const messagesOf = (asked: PageQuery): Input => {
  const dispute = evidenceOf(asked);
  return dispute && { ...dispute, limit: 50 };
};

/** Payments that wait, or the one that is named, whether it waits or not. */
const paymentsOf = (asked: PageQuery): Input => {
  if (kindOf(asked) !== 'payments') return undefined;
  if (idOf(asked) > 0) return { deposit_id: idOf(asked) };
  return { limit: 10, waiting: true, ...given(asked.query, 'cursor') };
};

/** One decision per screen; the next one opens after it is made. */
export const decisions = page({
  path: '/admin/decisions',
  title: 'Decisions',
  access: 'operator',
  nav: { group: '', icon: 'scales', tab: 'Decide', key: 'd' },
  live: ['audit', 'dispute', 'clock'],
  reads: { overview: 'operator_overview' },
  cards: {
    products: ['products_to_review', only('product_reviews') as (asked: PageQuery) => Input],
    evidence: ['dispute_evidence', evidenceOf],
    messages: ['list_dispute_messages', messagesOf],
    orders: ['list_disputes', only('order_disputes') as (asked: PageQuery) => Input],
    tasks: ['list_task_disputes', only('task_disputes') as (asked: PageQuery) => Input],
    appeals: ['list_labor_appeals', only('labor_appeals') as (asked: PageQuery) => Input],
    withdrawals: ['withdrawals_to_review', only('withdrawals') as (asked: PageQuery) => Input],
    payments: ['list_unclaimed_payments', paymentsOf],
  },
  does: [
    'review_product',
    'decide_dispute',
    'decide_task_dispute',
    'decide_labor_appeal',
    'review_withdrawal',
    'decide_unclaimed_payment',
  ],
  view: (
    { overview, evidence, messages, products, orders, tasks, appeals, withdrawals, payments },
    asked,
  ) => {
    const kind = kindOf(asked);
    const shown: Record<Kind, readonly { id: number; view: VNode }[]> = {
      product_reviews: (products?.products ?? []).map((one) => ({
        id: one.product_id,
        view: <ProductReview product={one} />,
      })),
      order_disputes: (orders?.disputes ?? []).map((one) => ({
        id: one.order_id,
        view: <OrderDispute dispute={one} evidence={evidence} messages={messages} />,
      })),
      task_disputes: (tasks?.disputes ?? []).map((one) => ({
        id: one.task_id,
        view: <TaskDispute dispute={one} evidence={evidence} messages={messages} />,
      })),
      labor_appeals: (appeals?.appeals ?? []).map((one) => ({
        id: one.claim_id,
        view: <LaborAppeal appeal={one} evidence={evidence} messages={messages} />,
      })),
      withdrawals: (withdrawals?.withdrawals ?? []).map((one) => ({
        id: one.withdrawal_id,
        view: <WithdrawalReview withdrawal={one} />,
      })),
      payments: (payments?.payments ?? []).map((one) => ({
        id: one.deposit_id,
        view: <PaymentDecision payment={one} />,
      })),
    };
    const list = shown[kind];
    const named = list.find(({ id }) => String(id) === asked.query.id);
    const chosen = named ?? list[0];
    return (
      <>
        <Lead title="Decisions">
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
        </Lead>
        {kind === 'order_disputes' && <Unanswered disputes={orders?.disputes ?? []} />}
        {chosen && DISPUTES[kind] && asked.query.id === undefined && (
          <p>
            <a href={`/admin/decisions?kind=${kind}&id=${chosen.id}`}>Show all the evidence</a>
          </p>
        )}
        {asked.query.id !== undefined && !named && (
          <NotListed kind={kind} evidence={evidence} isFollowed={chosen !== undefined} />
        )}
        {chosen ? chosen.view : <Nothing overview={overview} />}
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

/** Where nothing of a kind waits: the kinds of which something does. */
const Nothing = ({ overview }: { overview: AnswerOf<'operator_overview'> }) => (
  <Empty>
    Nothing of this kind waits for a decision.
    {overview.decisions
      .filter(({ count }) => count > 0)
      .map(({ kind, count }) => (
        <>
          {' '}
          <a href={`/admin/decisions?kind=${kind}`}>
            {wordsOf(kind)}: {count}
          </a>
        </>
      ))}
  </Empty>
);

interface NotListedProps {
  kind: Kind;
  evidence: Evidence;
  /** Whether another object is shown below. */
  isFollowed: boolean;
}

/** An object that is named and not on the page: it is decided, waits further on, or is none. */
function NotListed({ kind, evidence, isFollowed }: NotListedProps) {
  const next = isFollowed && ' Below is another one.';
  if (evidence === null) return <p>Nothing with this number waits.{next}</p>;
  const name = `${wordsOf(evidence.kind)} #${evidence.id}`;
  if (evidence.decision === null) {
    const path = `/admin/decisions?kind=${kind}&cursor=${cursorAt(evidence.id)}`;
    return (
      <p>
        <a href={path}>{name} waits</a>.{next}
      </p>
    );
  }
  return (
    <details>
      <summary>
        {name} is decided.{next}
      </summary>
      <ShownEvidence evidence={evidence} kind={evidence.kind} id={evidence.id} />
    </details>
  );
}

/** The disputes that are listed and not counted: each waits for its seller first. */
function Unanswered({ disputes }: { disputes: readonly { response: unknown }[] }) {
  const { length } = disputes.filter(({ response }) => response === null);
  if (length === 0) return null;
  return (
    <p class="dim">
      {length === 1 ? '1 of these waits' : `${length} of these wait`} for the seller's answer, or
      its deadline, and {length === 1 ? 'is' : 'are'} not counted above. You can decide now.
    </p>
  );
}
