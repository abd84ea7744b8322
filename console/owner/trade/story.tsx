import type { AnswerOf } from '../../answers.ts';
import type { Asked } from '../../page.ts';
import { Card, Empty, Missing } from '../../parts/card.tsx';
import { When, wordsOf } from '../../parts/text.tsx';

type Events = AnswerOf<'list_events'>;

const EVENTS_MAX = 50;

/** What a page reads of the object that its path names. */
export const storyOf = (kind: 'order' | 'task') =>
  [
    'list_events',
    ({ params }: Asked) => ({
      object_kind: kind,
      object_id: Number(params.id),
      limit: EVENTS_MAX,
    }),
  ] as const;

/** What happened to one object, the oldest first. */
export const Story = ({ events }: { events: Events | null }) => (
  <Card id="story" title="What happened">
    {events ? <Told events={events.events} /> : <Missing />}
  </Card>
);

function Told({ events }: { events: Events['events'] }) {
  // Where both parties are of one tree, it is told of each.
  const once = new Map(events.map((event) => [event.type + event.occurred_at, event]));
  if (once.size === 0) return <Empty>Nothing within the last 30 days.</Empty>;
  return (
    <ol class="rows">
      {[...once.values()].map(({ type, occurred_at: at }) => (
        <li>
          <strong>{wordsOf(type.slice(type.indexOf('.') + 1))}</strong>
          <span class="end">
            <When at={at} />
          </span>
        </li>
      ))}
    </ol>
  );
}
