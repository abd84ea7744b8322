import type { Category } from '../../../../shared/domains/products/products.ts';
import { CATEGORY_WORDS } from '../../market/words.ts';
import type { AnswerOf } from '../../answers.ts';
import { soldDatasetOf } from './sold_dataset.ts';
import { Quote, plural, Usd, visible, When, Words, wordsOf } from '../../parts/text.tsx';

/** The messages of the parties; null: they were not read. */
export type Conversation = AnswerOf<'list_dispute_messages'> | null;

type Facts = AnswerOf<'dispute_evidence'>;
/** The facts of a dispute; null: they were not read. */
export type Evidence = Facts | null;

interface ShownEvidenceProps {
  evidence: Evidence;
  /** The object whose dispute is decided: evidence of another is not shown. */
  kind: Facts['kind'];
  id: number;
}

/** The deal in dispute: its terms, its deliveries, and its events in their order. */
export function ShownEvidence({ evidence, kind, id }: ShownEvidenceProps) {
  if (evidence?.kind !== kind || evidence.id !== id) return null;
  return (
    <>
      <h3 class="inside">What happened</h3>
      <ol class="lines">
        {evidence.history.map((entry) => (
          <li>
            {entry.at !== null && (
              <>
                <When at={entry.at} />:{' '}
              </>
            )}
            {EVENTS[entry.event]} by the {BY[entry.by]}
            {entry.username !== null && (
              <>
                {' '}
                (<Words>{entry.username}</Words>)
              </>
            )}
          </li>
        ))}
        {evidence.listing && (
          <li>
            <When at={evidence.listing.release_at} />: the seller would have been paid.
          </li>
        )}
      </ol>
      <h3 class="inside">What was promised</h3>
      <Sold evidence={evidence} />
      {evidence.promised.map(({ what, text }) => (
        <Quote {...PROMISES[what]}>{text.content}</Quote>
      ))}
      <h3 class="inside">What was delivered</h3>
      <Deliveries evidence={evidence} />
      {evidence.decision && (
        <p>
          Decided: {wordsOf(evidence.decision.verdict)}, by the {BY[evidence.decision.by]};{' '}
          <Usd amount={evidence.decision.returned} /> went back.
          {evidence.decision.note !== null && ` ${evidence.decision.note}`}
        </p>
      )}
      <h3 class="inside">What was said</h3>
      {evidence.history.map(
        ({ event, by, text }) =>
          text !== null && (
            <Quote by={`the ${BY[by]}`} what={SAID[event]}>
              {text.content}
            </Quote>
          ),
      )}
    </>
  );
}

/** The version that was bought, and whether the seller has changed the listing since. */
function Sold({ evidence: { listing, title } }: { evidence: Facts }) {
  if (!listing) return null;
  const category = CATEGORY_WORDS[listing.category as Category].one;
  return (
    <p>
      {plural(listing.quantity, 'unit')} of <Words>{title}</Words> ({category}) at{' '}
      <Usd amount={listing.unit_price} />, version {listing.version}.{' '}
      {listing.version === listing.current_version ? (
        'The listing has not changed since.'
      ) : (
        <>
          The seller has changed the listing since
          {listing.version_changed_at !== null && (
            <>
              , <When at={listing.version_changed_at} />
            </>
          )}
          : it is at version {listing.current_version}.
        </>
      )}
    </p>
  );
}

function Deliveries({ evidence: { delivered, dataset, id } }: { evidence: Facts }) {
  return (
    <>
      <ul class="lines">
        {delivered.map((one) => (
          <li>
            {one.at !== null && (
              <>
                <When at={one.at} />:{' '}
              </>
            )}
            {one.units === null ? 'Content' : `${plural(one.units, 'unit')} of stock`} by the{' '}
            {BY[one.by]}, {one.status}
            {one.sha256 !== null && (
              <>
                , SHA-256 <code>{one.sha256}</code>
              </>
            )}
          </li>
        ))}
        {dataset !== null && (
          <li>
            Version {dataset.version} of dataset {dataset.dataset_id}. New buyers get version{' '}
            {dataset.current_version}. What was sold is kept until the deal is final:{' '}
            <a href={soldDatasetOf(id)}>what was sold</a>, recorded in the audit log.
          </li>
        )}
      </ul>
      {delivered.map(
        ({ text, by }) => text !== null && <Quote by={`the ${BY[by]}`}>{text.content}</Quote>,
      )}
    </>
  );
}

const BY: Record<Facts['history'][number]['by'], string> = {
  buyer: 'buyer',
  seller: 'seller',
  poster: 'poster',
  worker: 'worker',
  operator: 'operator',
  rule: 'marketplace',
  other: 'worker of another delivery',
};

const EVENTS: Record<Facts['history'][number]['event'], string> = {
  posted: 'Posted',
  offered: 'Offered',
  bought: 'Bought',
  taken: 'Taken',
  delivered: 'Delivered',
  opened: 'The vault was opened',
  changed: 'The listing was changed',
  rejected: 'Rejected',
  disputed: 'Disputed',
  answered: 'Answered',
  decided: 'Decided',
};

/** Texts that belong to events. */
const SAID: Partial<typeof EVENTS> = {
  rejected: 'The rejection',
  disputed: 'The complaint',
  answered: 'The answer',
};

const PROMISES: Record<Facts['promised'][number]['what'], { by: string; what: string }> = {
  description: { by: 'its author', what: 'The description' },
  description_now: { by: 'the seller', what: 'The description as it is now' },
  proposal: { by: 'the worker', what: 'The offer' },
  instructions: { by: 'the poster', what: 'The task' },
  unit: { by: 'the poster', what: 'The unit' },
  verification: { by: 'the poster', what: 'The check of results' },
  template: { by: 'the poster', what: 'The form of answers' },
  known_answer: { by: 'the poster', what: 'The known answer' },
};

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
