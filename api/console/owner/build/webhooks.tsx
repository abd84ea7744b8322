import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Lead, Pages, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Once } from '../../parts/message.tsx';
import { Badge, Copy, When } from '../../parts/text.tsx';
import { StateFilter } from '../../parts/lists/filter.tsx';
import { given } from '../../parts/lists/query.ts';
import { BY_TIME, byLargest, sortOf } from '../trade/orders.tsx';
import { useShown } from '../../page_state.ts';
import { EVENT_KINDS } from '../../../../shared/domains/events/event_types.ts';

const STATES = { active: 'active', disabled: 'disabled' };
const PATH = '/console/webhooks';

export const webhooks = page({
  path: PATH,
  title: 'Webhooks',
  access: 'owner',
  nav: { group: 'Build', icon: 'plug' },
  live: ['webhook'],
  reads: {
    webhooks: [
      'list_webhooks',
      ({ query }: PageQuery) => ({ ...given(query, 'status'), sort: sortOf(query) }),
    ],
  },
  shows: ['create_webhook'],
  view: ({ webhooks: found }, { query }) => (
    <>
      <Lead title="Webhooks">
        <p>Events are sent to these addresses, signed, and again until they arrive.</p>
      </Lead>
      <Once id="secret">
        <NewSecret />
      </Once>
      <Card id="webhooks" title="Endpoints">
        {(found.count > 0 || query.status) && (
          <StateFilter path={PATH} states={STATES} query={query} />
        )}
        {found.count === 0 && query.status ? (
          <Empty>No endpoint has this state.</Empty>
        ) : found.count === 0 ? (
          <Empty>None yet. Add one below.</Empty>
        ) : (
          <Table
            label="Webhooks"
            sorted={{ path: PATH, query, by: sortOf(query) }}
            rows={found.webhooks}
            columns={[
              {
                head: 'Address',
                sort: [['url', 'ascending'], BY_TIME[0]],
                cell: ({ webhook_id, url }) => <a href={`${PATH}/${webhook_id}`}>{url}</a>,
              },
              {
                head: 'State',
                cell: ({ status, failing_since: failing }) => (
                  <Badge
                    state={failing ? 'failing' : status}
                    kind={failing ? 'owed' : status === 'active' ? 'yours' : ''}
                  />
                ),
              },
              { head: 'Events', wide: true, cell: ({ types }) => types.join(', ') || 'all' },
              {
                head: 'Made',
                wide: true,
                sort: BY_TIME,
                cell: ({ created_at: at }) => <When at={at} />,
              },
              {
                head: 'Last arrived',
                wide: true,
                sort: byLargest('arrived'),
                cell: ({ last_delivery: last }) => (last ? <When at={last} /> : 'never'),
              },
            ]}
          />
        )}
        <Pages path={PATH} of={found} query={query} what="endpoint" />
      </Card>
      <Card id="new" title="New endpoint">
        <Do op="create_webhook" label="Add this endpoint" main>
          <Fields
            op="create_webhook"
            choices={{ types: EVENT_KINDS.map((kind) => [`${kind}.*`, kind] as const) }}
          />
        </Do>
      </Card>
    </>
  ),
});

/** The new secret, by which the receiver checks signatures: it is shown once. */
export function NewSecret() {
  const { done } = useShown();
  const { secret } = (done?.answer ?? {}) as { secret?: string | null };
  if (!secret) return null;
  return (
    <Card id="secret" title="The secret, shown once">
      <div class="inside stack">
        <p>Whoever receives events checks their signature with it.</p>
        <Copy text={secret} label="Copy the secret" />
      </div>
    </Card>
  );
}
