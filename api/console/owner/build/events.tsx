import { page, type PageQuery } from '../../page.ts';
import { Card, Empty } from '../../parts/card.tsx';
import { When } from '../../parts/text.tsx';
import { EVENT_KINDS } from '../../../../shared/domains/events/event_types.ts';

const PATH = '/console/events';

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
        limit: 50,
        ...(query.type && { type: query.type }),
        ...(query.cursor && { cursor: query.cursor }),
      }),
    ],
  },
  view: ({ events: found }, { query }) => (
    <>
      <div class="lead">
        <h1>Events</h1>
        <p>Events of you and your agents, oldest first. They are kept for 30 days.</p>
      </div>
      <form class="filters" method="get" action={PATH}>
        <p class="field">
          <label for="type">Only</label>
          <select id="type" name="type">
            <option value="">all</option>
            {EVENT_KINDS.map((kind) => (
              <option value={`${kind}.*`} selected={query.type === `${kind}.*`}>
                {kind}
              </option>
            ))}
          </select>
        </p>
        <p class="buttons">
          <button class="button">Show</button>
        </p>
      </form>
      <Card id="events" title="Events">
        {found.count === 0 ? (
          <Empty>Nothing of that kind has happened.</Empty>
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
        {found.has_more && found.next_cursor && (
          <p class="pager">
            <a class="link" href={`${PATH}?${newer(query.type, found.next_cursor)}`}>
              Newer
            </a>
          </p>
        )}
      </Card>
    </>
  ),
});

const newer = (type: string | undefined, cursor: string) =>
  new URLSearchParams({ ...(type && { type }), cursor }).toString();
