import type { VNode } from 'preact';

import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card } from '../../parts/card.tsx';
import { Once } from '../../parts/message.tsx';
import { Badge, Quote, Usd, When, Words, wordsOf } from '../../parts/text.tsx';
import { useShown } from '../../page_state.ts';
import { CallButton } from '../calls.tsx';
import { AgentName, ownName, TREE } from '../agents/names.tsx';
import { Messages } from './messages.tsx';
import { Bought } from './order_dataset.tsx';
import { GoodsCheck } from './checking/goods_check.tsx';
import { kindOf, paidOf } from './orders.tsx';
import { ReceiptLink, receiptsOf } from '../receipt_link.tsx';
import { PassTime } from './pass_time.tsx';
import { OrderReview } from './review.tsx';
import { Story, storyOf } from './story.tsx';
import { WithWords, type TextAction } from './text_actions.tsx';

type Order = AnswerOf<'get_order'>;

const idOf = ({ params }: PageQuery) => ({ order_id: Number(params.id) });

export const order = page({
  path: '/console/orders/:id',
  title: 'Order',
  access: 'owner',
  live: ['order', 'message'],
  reads: { order: ['get_order', idOf] },
  cards: {
    messages: ['list_messages', idOf],
    story: storyOf('order'),
    names: TREE,
    receipts: receiptsOf('order'),
    review: ['get_review', idOf],
    checks: 'list_goods_checks',
    verdicts: ['list_goods_verdicts', (asked: PageQuery) => ({ ...idOf(asked), below: true })],
  },
  does: [
    'confirm_order',
    'refund_order',
    'dispute_order',
    'withdraw_dispute',
    'respond_dispute',
    'review_order',
    'answer_review',
    'cancel_approval',
    'send_message',
    'sandbox_advance',
    'set_goods_check',
  ],
  shows: ['get_vault_item'],
  view: ({ order: found, messages, story, names, receipts, review, ...goods }, { agentId }) => {
    const tree = { agentId, names };
    const isBought = ownName(tree, found.buyer_id) !== undefined;
    const buyer = <AgentName tree={tree} id={found.buyer_id} username={found.buyer_username} />;
    const seller = <AgentName tree={tree} id={found.seller_id} username={found.seller_username} />;
    return (
      <>
        <div class="lead">
          <h1>
            Order #{found.order_id}: <Words>{found.title}</Words>
          </h1>
          <p>
            <Badge state={found.status} kind={kindOf(found.status)} />{' '}
            {isBought ? <>bought by {buyer}</> : <>sold by {seller}</>},{' '}
            <When at={found.created_at} />
          </p>
        </div>
        <Once id="vault">
          <Delivered />
        </Once>
        <div class="columns">
          <div class="stack">
            <Card id="next" title="Actions">
              <Next order={found} />
            </Card>
            {found.dispute && <Dispute dispute={found.dispute} />}
            <OrderReview
              order={found}
              review={review?.review ?? null}
              isBought={isBought}
              maySell={found.seller_id === agentId}
            />
            <Card id="messages" title="Messages">
              <Messages
                messages={messages}
                about={{ order_id: found.order_id }}
                to={isBought ? found.seller_id : found.buyer_id}
                tree={tree}
                mayWrite={isBought || found.seller_id === agentId}
              />
            </Card>
          </div>
          <div class="stack">
            <Card id="money" title="Money">
              <Facts order={found} buyer={buyer} seller={seller} />
              <ReceiptLink receipts={receipts} />
            </Card>
            {isBought && (
              <GoodsCheck
                order={found}
                verdict={goods.verdicts?.goods_verdicts[0]}
                check={goods.checks?.goods_checks.find(
                  ({ product_id: id }) => id === found.product_id,
                )}
              />
            )}
            {found.dataset && <Bought order={found} dataset={found.dataset} isBought={isBought} />}
            <Story events={story} />
            {found.deadlines.length > 0 && <PassTime kind="order" id={found.order_id} />}
          </div>
        </div>
      </>
    );
  },
});

/** The content of a vault, right after it was opened. */
function Delivered() {
  const { done } = useShown();
  if (done?.operation !== 'get_vault_item' || !done.answer) return null;
  const { items } = done.answer as { items: readonly { content: string }[] };
  return (
    <Card id="vault" title="In the vault">
      <div class="inside stack">
        {items.map(({ content }) => (
          <Quote by="the seller">{content}</Quote>
        ))}
      </div>
    </Card>
  );
}

/** Operations that need a text, so they have a form; the others are buttons. */
const WRITTEN: Readonly<Record<string, TextAction>> = {
  dispute_order: {
    field: 'reason',
    label: 'Dispute this order',
  },
  respond_dispute: {
    field: 'response',
    label: 'Send the answer',
  },
};

function Next({ order: found }: { order: Order }) {
  const actions = found.available_actions;
  if (actions.length === 0) {
    return found.deadlines.length === 0 ? (
      <p>Nothing more: this order is closed.</p>
    ) : (
      <p>Nothing for you to do. The agent that sold it answers with its own key.</p>
    );
  }
  const input = { order_id: found.order_id };
  return (
    <div class="inside stack">
      <div class="buttons">
        {actions
          .filter((tool) => !(tool in WRITTEN))
          .map((tool, n) => (
            <CallButton
              call={{
                tool,
                arguments: tool === 'cancel_approval' ? { approval_id: found.approval_id } : input,
                needs: [],
              }}
              amount={found.total_due}
              main={n === 0}
            />
          ))}
      </div>
      <WithWords actions={actions} input={input} written={WRITTEN} />
    </div>
  );
}

const Dispute = ({ dispute }: { dispute: NonNullable<Order['dispute']> }) => (
  <Card id="dispute" title="Dispute">
    <div class="inside stack">
      <Quote by="the buyer">{dispute.reason.content}</Quote>
      {dispute.response ? (
        <Quote by="the seller">{dispute.response.content}</Quote>
      ) : (
        <p>
          The seller may answer until <When at={dispute.respond_by} />.
        </p>
      )}
      {dispute.outcome && <p>Decided: {wordsOf(dispute.outcome)}.</p>}
      {dispute.note && <p>{dispute.note}</p>}
    </div>
  </Card>
);

const Facts = ({ order: found, buyer, seller }: FactsProps) => (
  <dl class="pairs">
    <dt>Price</dt>
    <dd>
      {found.quantity} × <Usd amount={found.unit_price} />
    </dd>
    <dt>Fee</dt>
    <dd>
      <Usd amount={found.fee} />
    </dd>
    <dt>{paidOf(found.status)}</dt>
    <dd>
      <Usd amount={found.total_due} />
      {found.credit > 0 && (
        <>
          , of it <Usd amount={found.credit} /> credit
        </>
      )}
    </dd>
    {found.refunded > 0 && (
      <>
        <dt>Refunded</dt>
        <dd>
          <Usd amount={found.refunded} />
        </dd>
      </>
    )}
    {found.deadlines.map(({ at, happens }) => (
      <>
        <dt>
          <When at={at} />
        </dt>
        <dd>{happens}</dd>
      </>
    ))}
    <dt>Product</dt>
    <dd>
      <a href={`/market/products/${found.product_id}`}>#{found.product_id}</a>
    </dd>
    <dt>Seller</dt>
    <dd>{seller}</dd>
    <dt>Buyer</dt>
    <dd>{buyer}</dd>
  </dl>
);

interface FactsProps {
  order: Order;
  buyer: VNode;
  seller: VNode;
}
