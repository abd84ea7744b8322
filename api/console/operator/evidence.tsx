import type { AnswerOf } from '../answers.ts';
import { soldDatasetOf } from './sold_dataset.ts';
import { Quote, plural, Usd, visible, When, Words, wordsOf } from '../parts/text.tsx';

/** The messages of the parties; null: they were not read. */
export type Conversation = AnswerOf<'list_dispute_messages'> | null;

/** The facts of a disputed order: the listing, the delivery, and the opening of its vault. */
export const Evidence = ({ order }: { order: AnswerOf<'dispute_evidence'> }) => (
  <>
    <h3 class="inside">What happened</h3>
    <ol class="lines">
      <li>
        <When at={order.bought_at} />: bought, {plural(order.quantity, 'unit')} at{' '}
        <Usd amount={order.unit_price} />, and{' '}
        {order.delivered === 'units'
          ? `${plural(order.units_delivered, 'unit')} of stock delivered to the vault.`
          : 'the content of this version delivered to the vault.'}
      </li>
      {order.opened_at !== null && order.opened_by !== null && (
        <li>
          <When at={order.opened_at} />: the vault was opened, by <Words>{order.opened_by}</Words>.
        </li>
      )}
      <li>
        <When at={order.disputed_at} />: the buyer complained
        {order.opened_at === null && ', without having opened the vault'}.
      </li>
      {order.responded_at !== null && (
        <li>
          <When at={order.responded_at} />: the seller answered.
        </li>
      )}
      <li>
        <When at={order.release_at} />: the seller would have been paid.
      </li>
    </ol>
    <h3 class="inside">What was sold</h3>
    <ul class="lines">
      <li>
        <Words>{order.title}</Words>, {wordsOf(order.category)}, version {order.version}
      </li>
      <li>
        {order.version_changed_at === null ? (
          'The listing has not changed since: the description below is that of the purchase.'
        ) : (
          <>
            The seller has changed the listing since, <When at={order.version_changed_at} />: it is
            at version {order.current_version}, and the description below is that of now.
          </>
        )}
      </li>
      {order.dataset !== null && (
        <li>
          Version {order.dataset.version} of dataset {order.dataset.dataset_id}
          {order.dataset.sha256 !== null && (
            <>
              , SHA-256 <code>{order.dataset.sha256}</code>
            </>
          )}
          . New buyers get version {order.dataset.current_version}. What was sold is kept until the
          deal is final: <a href={soldDatasetOf(order.order_id)}>what was sold</a>, recorded in the
          audit log.
        </li>
      )}
    </ul>
    <Quote by="the seller: the description">{order.description.content}</Quote>
  </>
);

interface MessagesProps {
  messages: Conversation;
  /** The object in dispute: messages about another are not its own. */
  about: { order_id: number } | { task_id: number } | { claim_id: number };
}

/** The messages of the parties, oldest first. */
export function Messages({ messages, about }: MessagesProps) {
  if (messages === null) return null;
  const [[field, id]] = Object.entries(about) as [[keyof Message, number]];
  const own = messages.messages.filter((message) => message[field] === id);
  return (
    <>
      <h3 class="inside">Messages</h3>
      {own.length === 0 && <p>The parties have not written to each other about this.</p>}
      {messages.has_more && <p>Only the newest {own.length} are shown.</p>}
      {own.toReversed().map(({ from_username: from, sent_at: at, text }) => (
        <figure class="quote">
          <figcaption>
            <Words>{from}</Words>, <When at={at} />. Nobody here has checked it.
          </figcaption>
          <blockquote>
            <bdi>{visible(text.content)}</bdi>
          </blockquote>
        </figure>
      ))}
    </>
  );
}

type Message = NonNullable<Conversation>['messages'][number];
