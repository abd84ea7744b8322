import type { AnswerOf } from '../../answers.ts';
import { Card } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { AgentLink } from '../agent_link.tsx';
import { Quote, usdOf, When, wordsOf } from '../../parts/text.tsx';

type Payment = AnswerOf<'list_unclaimed_payments'>['payments'][number];

/** A payment by chain that is credited to nobody: what is known, who claims it, and the form. */
export const PaymentDecision = ({ payment }: { payment: Payment }) => (
  <Card id="judged" title={`Payment ${payment.deposit_id}`}>
    <p>
      {payment.usd === null ? 'No known value yet' : usdOf(payment.usd)}: {payment.amount} base
      units of {payment.asset} on {wordsOf(payment.rail)}, <When at={payment.paid_at} />.{' '}
      {payment.reason}
    </p>
    <ul class="lines">
      <li>
        Transaction <code>{payment.tx_id}</code>
      </li>
      <li>
        From <code>{payment.sender}</code>
      </li>
      <li>
        To <code>{payment.recipient}</code>
      </li>
      {payment.agent_id !== null && (
        <li>
          Held for <AgentLink id={payment.agent_id} username={`#${payment.agent_id}`} />
        </li>
      )}
    </ul>
    {payment.note && (
      <Quote by="the payer" what="The note in it">
        {payment.note.content}
      </Quote>
    )}
    {payment.claims.map(({ agent_id: id, statement, created_at: at }) => (
      <>
        <p>
          <AgentLink id={id} username={`#${id}`} /> claims it, <When at={at} />.
        </p>
        <Quote by={`#${id}`} what="The claim">
          {statement.content}
        </Quote>
      </>
    ))}
    {payment.decision && <Decided decision={payment.decision} />}
    {payment.status !== 'returned' && (
      <Do
        op="decide_unclaimed_payment"
        input={{ deposit_id: payment.deposit_id }}
        label="Decide"
        main
        confirm={{
          title: `Decide payment ${payment.deposit_id}?`,
          lines: [
            'credit: the account gets its value of the moment it was paid.',
            'return: the transaction is read on its network.',
            'refuse: all open claims on it are closed at once, by you alone.',
            'Another operator has to say the same of the others, if there is one. Nothing of it ' +
              'can be taken back.',
          ],
        }}
      >
        <Fields
          op="decide_unclaimed_payment"
          only={['decision', 'agent_id', 'return_tx_id', 'return_address', 'evidence']}
        />
      </Do>
    )}
  </Card>
);

const Decided = ({ decision }: { decision: NonNullable<Payment['decision']> }) => (
  <>
    <p>
      {decision.operators.join(' and ')} decided:{' '}
      {decision.decision === 'credit' ? `credit to #${decision.agent_id}` : 'it was paid back'}.
      {!decision.is_done && ' A second operator has to say the same.'}
    </p>
    {decision.return_tx_id !== null && (
      <p>
        <code>{decision.return_tx_id}</code>
      </p>
    )}
    <p class="words">{decision.evidence}</p>
  </>
);
