import type { AnswerOf } from '../../answers.ts';
import type { PageQuery } from '../../page.ts';
import { Card, Empty, Missing } from '../../parts/card.tsx';
import { When, wordsOf } from '../../parts/text.tsx';

type Events = AnswerOf<'list_events'>;

const EVENTS_MAX = 50;

/** Reading of the events of the object in the page's path. */
export const storyOf = (kind: 'order' | 'task') =>
  [
    'list_events',
    ({ params }: PageQuery) => ({
      object_kind: kind,
      object_id: Number(params.id),
      limit: EVENTS_MAX,
    }),
  ] as const;

/** Events whose names are no words for a person. */
const EVENTS: Readonly<Record<string, string>> = {
  'order.created': 'Bought',
  'order.pending_approval': 'Waits for an approval',
  'order.revealed': 'Vault opened',
  'order.released': 'Seller paid',
  'order.goods_passed': 'Goods passed the check',
  'order.goods_failed': 'Goods failed the check',
};

/** The events of one object, oldest first. */
export const Story = ({ events }: { events: Events | null }) => (
  <Card id="story" title="History">
    {events ? <Told events={events.events} /> : <Missing />}
  </Card>
);

function Told({ events }: { events: Events['events'] }) {
  // If both parties are of one tree, each event occurs twice.
  const once = new Map(events.map((event) => [event.type + event.occurred_at, event]));
  if (once.size === 0) return <Empty>Nothing within the last 30 days.</Empty>;
  return (
    <ol class="rows">
      {[...once.values()].map(({ type, occurred_at: at }) => (
        <li>
          <strong>{EVENTS[type] ?? wordsOf(type.slice(type.indexOf('.') + 1))}</strong>
          <span class="end">
            <When at={at} />
          </span>
        </li>
      ))}
    </ol>
  );
}
