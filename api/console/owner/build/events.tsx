import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Lead, Pages } from '../../parts/card.tsx';
import { Filter, FilterChoice } from '../../parts/lists/filter.tsx';
import { When } from '../../parts/text.tsx';
import { given } from '../../parts/lists/query.ts';
import { EVENT_KINDS } from '../../../../shared/domains/events/event_types.ts';

const PATH = '/console/events';
const KINDS = Object.fromEntries(EVENT_KINDS.map((kind) => [`${kind}.*`, kind]));

export const events = page({
  path: PATH,
  title: 'Events',
  access: 'owner',
  nav: { group: 'Build', icon: 'pulse' },
  live: [
    'order',
    'task',
    'labor',
    'wallet',
    'agent',
    'approval',
    'deposit',
    'withdrawal',
    'message',
  ],
  reads: {
    events: [
      'list_events',
      ({ query }: PageQuery) => ({
        from: 'newest',
        limit: 50,
        ...given(query, 'type', 'cursor'),
      }),
    ],
  },
  view: ({ events: found }, { query }) => (
    <>
      <Lead title="Events">
        <p>Events of you and your agents, newest first. They are kept for 30 days.</p>
      </Lead>
      <Filter path={PATH}>
        <FilterChoice
          name="type"
          label="Only"
          value={query.type}
          choices={{ '': 'all', ...KINDS }}
        />
      </Filter>
      <Card id="events" title="Events">
        {found.count === 0 ? (
          <Empty>
            {found.has_more
              ? 'None of that kind among these events: the next page has older ones.'
              : 'Nothing of that kind has happened.'}
          </Empty>
        ) : (
          <ol class="rows">
            {found.events.map((event) => (
              <li id={event.id}>
                <When at={event.occurred_at} />
                <strong>{event.type}</strong>
                <span>
                  {event.object.kind} #{event.object.id}, {event.object.status}
                </span>
                <details class="end">
                  <summary>All of it</summary>
                  <pre tabIndex={0}>
                    <code>{JSON.stringify(event, null, 2)}</code>
                  </pre>
                </details>
              </li>
            ))}
          </ol>
        )}
        <Pages path={PATH} of={found} query={query} what="event" />
      </Card>
    </>
  ),
});
