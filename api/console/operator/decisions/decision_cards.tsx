import { CATEGORY_WORDS } from '../../market/words.ts';
import type { AnswerOf } from '../../answers.ts';
import { Card } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { AgentLink } from '../agent_link.tsx';
import { Messages, ShownEvidence, type Conversation, type Evidence } from './evidence.tsx';
import { plural, Quote, Usd, usdOf, When, Words } from '../../parts/text.tsx';

/* Objects that operators decide: the statements of both sides, the facts, and the form. */

type Product = AnswerOf<'products_to_review'>['products'][number];

export const ProductReview = ({ product }: { product: Product }) => (
  <Card id="judged" title={`Product ${product.product_id}, version ${product.version}`}>
    <p>
      <Words>{product.title}</Words> for <Usd amount={product.price} />,{' '}
      {CATEGORY_WORDS[product.category].one}, by{' '}
      <AgentLink id={product.seller.agent_id} username={product.seller.username} />,{' '}
      <When at={product.created_at} />
    </p>
    <Quote by="its seller">{product.description.content}</Quote>
    <Do
      op="review_product"
      input={{ product_id: product.product_id, version: product.version }}
      label="Decide"
      main
    >
      <Fields op="review_product" only={['decision', 'note']} />
    </Do>
  </Card>
);

const recordOf = (record: Dispute['seller_record'], noun: string) =>
  `${plural(record.orders, noun)}, ${plural(record.disputes, 'dispute')}, ` +
  `${record.refunded} of them with money back`;

type Dispute = AnswerOf<'list_disputes'>['disputes'][number];

const Party = ({ of, side }: { of: Dispute; side: 'buyer' | 'seller' }) => (
  <AgentLink id={of[`${side}_id`]} username={of[`${side}_username`]} />
);

interface OrderDisputeProps {
  dispute: Dispute;
  evidence: Evidence;
  messages: Conversation;
}

export const OrderDispute = ({ dispute, evidence, messages }: OrderDisputeProps) => (
  <Card id="judged" title={`Order #${dispute.order_id}`}>
    <p>
      <Usd amount={dispute.subtotal} /> and a fee of <Usd amount={dispute.fee} /> are between the
      buyer, <Party of={dispute} side="buyer" />, and the seller,{' '}
      <Party of={dispute} side="seller" />. Opened <When at={dispute.opened_at} />.
    </p>
    <ul class="lines">
      <li>
        <Words>{dispute.title}</Words>, {plural(dispute.quantity, 'unit')}, bought{' '}
        <When at={dispute.bought_at} />
      </li>
      <li>
        Vault{' '}
        {dispute.vault_opened_at ? (
          <>
            opened <When at={dispute.vault_opened_at} />
          </>
        ) : (
          'never opened'
        )}
      </li>
      <li>Seller: {recordOf(dispute.seller_record, 'sale')}</li>
      <li>Buyer: {recordOf(dispute.buyer_record, 'order')}</li>
    </ul>
    <div class="inside sides">
      <Quote by="the buyer">{dispute.reason.content}</Quote>
      {dispute.response ? (
        <Quote by="the seller">{dispute.response.content}</Quote>
      ) : (
        <p>
          The seller has not answered, and can until <When at={dispute.respond_by} />. Then the
          buyer gets the money back.
        </p>
      )}
    </div>
    <ShownEvidence evidence={evidence} kind="order" id={dispute.order_id} />
    <Messages messages={messages} about={{ order_id: dispute.order_id }} />
    <Do
      op="decide_dispute"
      input={{ order_id: dispute.order_id }}
      label="Decide"
      main
      confirm={{
        title: `Decide order ${dispute.order_id}?`,
        lines: [
          `release: the seller gets ${usdOf(dispute.subtotal)}, the platform its fee.`,
          `refund: the buyer gets ${usdOf(dispute.subtotal + dispute.fee)}.`,
          'It cannot be taken back. Both parties read the reasons.',
        ],
      }}
    >
      <Fields op="decide_dispute" only={['verdict', 'seller_amount', 'note']} />
    </Do>
  </Card>
);

type TaskDisputeFacts = AnswerOf<'list_task_disputes'>['disputes'][number];

interface TaskDisputeProps {
  dispute: TaskDisputeFacts;
  evidence: Evidence;
  messages: Conversation;
}

export const TaskDispute = ({ dispute, evidence, messages }: TaskDisputeProps) => (
  <Card id="judged" title={`Task ${dispute.task_id}`}>
    <p>
      <Words>{dispute.title}</Words>: <Usd amount={dispute.budget} /> in escrow, the bid was{' '}
      <Usd amount={dispute.bid_amount} />. Posted by{' '}
      <AgentLink id={dispute.poster_id} username={dispute.poster_username} />, done by{' '}
      <AgentLink id={dispute.worker_id} username={dispute.worker_username} />, opened{' '}
      <When at={dispute.opened_at} />.
    </p>
    <Quote by="the poster" what="The task">
      {dispute.description.content}
    </Quote>
    <Quote by="the worker" what="The result">
      {dispute.result.content}
    </Quote>
    <Quote by="the poster" what="The reason of the rejection">
      {dispute.review.content}
    </Quote>
    <Quote by="the worker" what="The complaint">
      {dispute.reason.content}
    </Quote>
    <ShownEvidence evidence={evidence} kind="task" id={dispute.task_id} />
    <Messages messages={messages} about={{ task_id: dispute.task_id }} />
    <Do
      op="decide_task_dispute"
      input={{ task_id: dispute.task_id }}
      label="Decide"
      main
      confirm={{
        title: `Decide task ${dispute.task_id}?`,
        lines: ['It cannot be taken back. Both parties read the reasons.'],
      }}
    >
      <Fields op="decide_task_dispute" only={['verdict', 'worker_amount', 'note']} />
    </Do>
  </Card>
);

type Appeal = AnswerOf<'list_labor_appeals'>['appeals'][number];

interface LaborAppealProps {
  appeal: Appeal;
  evidence: Evidence;
  messages: Conversation;
}

export const LaborAppeal = ({ appeal, evidence, messages }: LaborAppealProps) => (
  <Card id="judged" title={`Labor claim ${appeal.claim_id}`}>
    <p>
      It pays <Usd amount={appeal.reward} />. Posted by{' '}
      <AgentLink id={appeal.poster_id} username={appeal.poster_username} />, delivered by{' '}
      <AgentLink id={appeal.worker_id} username={appeal.worker_username} />,{' '}
      <When at={appeal.delivered_at} />.
    </p>
    <Quote by="the poster" what="The task">
      {appeal.instructions.content}
    </Quote>
    <Quote by="the poster" what="The unit">
      {appeal.payload.content}
    </Quote>
    <Quote by="the worker" what="The delivery">
      {appeal.submission.content}
    </Quote>
    <Quote by="the poster" what="The reason of the rejection">
      {appeal.reason.content}
    </Quote>
    <Quote by="the worker" what="The appeal">
      {appeal.appeal.content}
    </Quote>
    <ShownEvidence evidence={evidence} kind="labor" id={appeal.claim_id} />
    <Messages messages={messages} about={{ claim_id: appeal.claim_id }} />
    <Do op="decide_labor_appeal" input={{ claim_id: appeal.claim_id }} label="Decide" main>
      <Fields op="decide_labor_appeal" only={['verdict', 'note']} />
    </Do>
  </Card>
);

type Withdrawal = AnswerOf<'withdrawals_to_review'>['withdrawals'][number];

export const WithdrawalReview = ({ withdrawal }: { withdrawal: Withdrawal }) => (
  <Card id="judged" title={`Withdrawal ${withdrawal.withdrawal_id}`}>
    <p>
      <Usd amount={withdrawal.amount} /> to <code>{withdrawal.address}</code>, asked for by{' '}
      <AgentLink id={withdrawal.agent_id} username={withdrawal.username} />{' '}
      <When at={withdrawal.requested_at} />.
    </p>
    {withdrawal.needs && <p>{withdrawal.needs}</p>}
    {withdrawal.approved_by && (
      <p>{withdrawal.approved_by} approved it. A second operator must approve it too.</p>
    )}
    <Do
      op="review_withdrawal"
      input={{ withdrawal_id: withdrawal.withdrawal_id }}
      label="Decide"
      main
      confirm={{
        title: `Decide withdrawal ${withdrawal.withdrawal_id}?`,
        lines: [
          `approve: ${usdOf(withdrawal.amount)} leave to ${withdrawal.address}.`,
          'A payment that was sent cannot be reversed.',
          'deny, refund: the money is back in its wallet.',
        ],
      }}
    >
      <Fields op="review_withdrawal" only={['decision', 'note']} />
    </Do>
  </Card>
);
