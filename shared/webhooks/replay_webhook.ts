import { operation } from '../kernel/operation.ts';
import { Id, Input, invalid, Moment, Output, timeOf, Type } from '../kernel/schema.ts';
import { execute } from '../platform/rows.ts';
import { isOfTypes } from './round.ts';
import { lockWebhook } from './webhooks.ts';

/** Of one call; ask again from the time of the last. */
const EVENTS_MAX = 1_000;

export const replayWebhook = operation({
  name: 'replay_webhook',
  title: 'Send events again',
  summary:
    'Sends events to a webhook once more: one by its id, or all of its types since a time, 1 000 ' +
    'at most. They keep their ids. Free.',
  access: 'owner',
  mode: 'write',
  domain: 'webhooks',
  rest: 'POST /api/v1/webhooks/:webhook_id/replay',
  tool: false,
  refusals: ['not_found'],
  input: Input({
    webhook_id: Id('From list_webhooks.'),
    event_id: Type.Optional(
      Type.String({
        maxLength: 24,
        pattern: '^evt_\\d{1,18}$',
        description: 'The id of an event.',
      }),
    ),
    since: Type.Optional(Moment('All from then on.')),
  }),
  output: Output({ events: Type.Integer({ description: 'How many are sent again.' }) }),

  async handle(tx, { webhook_id, event_id, since }) {
    if ((event_id === undefined) === (since === undefined)) {
      throw invalid([{ pointer: '', message: 'must hold event_id or since, and not both' }]);
    }
    await lockWebhook(tx, webhook_id);
    const events = await execute(
      tx.db,
      // Of what waits for an attempt anyway, that attempt is now.
      `insert into webhook_delivery (webhook_id, event_id, status, attempts, next_at)
       select w.id, e.id, 'waiting', 0, now()
         from webhook w join event e on e.root_id = w.root_id
        where w.id = $1 and e.id <= w.position and (
                e.id = $2 or e.occurred_at >= $3 and ${isOfTypes('e.type', 'w.types')})
        order by e.id limit $4
           on conflict (webhook_id, event_id) do update
             set status = 'waiting', attempts = 0, next_at = now()
       returning true`,
      [webhook_id, event_id?.slice('evt_'.length), timeOf('/since', since), EVENTS_MAX],
    );
    return { events };
  },
});
