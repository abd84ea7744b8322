import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Lead, Missing, Pages, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Once } from '../../parts/message.tsx';
import { Badge, When } from '../../parts/text.tsx';
import { given } from '../../parts/lists/query.ts';
import { NewSecret } from './webhooks.tsx';

const idOf = ({ params }: PageQuery) => ({ webhook_id: Number(params.id) });

export const webhook = page({
  path: '/console/webhooks/:id',
  title: 'Webhook',
  access: 'owner',
  live: ['webhook'],
  reads: {
    deliveries: [
      'list_deliveries',
      (asked: PageQuery) => ({ ...idOf(asked), ...given(asked.query, 'cursor') }),
    ],
    webhooks: 'list_webhooks',
  },
  does: ['test_webhook', 'replay_webhook', 'update_webhook', 'delete_webhook'],
  shows: ['rotate_webhook_secret'],
  view: ({ deliveries, webhooks }, { params, query }) => {
    const input = { webhook_id: Number(params.id) };
    const found = webhooks.webhooks.find(({ webhook_id }) => webhook_id === input.webhook_id);
    return (
      <>
        <Lead title={found?.url ?? `Webhook #${params.id}`}>
          {found?.last_fault && <p>The last attempt failed: {found.last_fault}</p>}
        </Lead>
        <Once id="secret">
          <NewSecret />
        </Once>
        <div class="buttons">
          <Do op="test_webhook" input={input} label="Send a test" main />
          <Do
            op="update_webhook"
            input={{ ...input, status: found?.status === 'active' ? 'disabled' : 'active' }}
            label={found?.status === 'active' ? 'Stop it' : 'Start it again'}
          />
          <Do op="rotate_webhook_secret" input={input} label="New secret" />
          <Do
            op="delete_webhook"
            input={input}
            label="Delete"
            next="/console/webhooks"
            confirm={{ title: 'Delete it?', lines: ['Events are sent there no more, for good.'] }}
          />
        </div>
        <Card id="deliveries" title="Deliveries">
          {!deliveries ? (
            <Missing />
          ) : deliveries.count === 0 ? (
            <Empty>Nothing yet.</Empty>
          ) : (
            <Table
              label="Deliveries"
              rows={deliveries.deliveries}
              columns={[
                {
                  head: 'Event',
                  cell: ({ type, fault }) => (
                    <>
                      {type}
                      {fault && <span class="note">{fault}</span>}
                    </>
                  ),
                },
                {
                  head: 'State',
                  cell: ({ status }) => (
                    <Badge state={status} kind={status === 'arrived' ? 'yours' : 'held'} />
                  ),
                },
                {
                  head: 'Answer',
                  right: true,
                  wide: true,
                  cell: ({ http_status }) => http_status ?? 'none',
                },
                {
                  head: 'Attempts',
                  right: true,
                  wide: true,
                  cell: ({ attempts, next_attempt_at: next }) => (
                    <>
                      {attempts}
                      {next && (
                        <>
                          , again <When at={next} />
                        </>
                      )}
                    </>
                  ),
                },
                {
                  head: 'Again',
                  cell: ({ event_id }) => (
                    <Do op="replay_webhook" input={{ ...input, event_id }} label="Send again" />
                  ),
                },
              ]}
            />
          )}
          <Pages path={`/console/webhooks/${params.id}`} of={deliveries} query={query} />
        </Card>
      </>
    );
  },
});
