import { operation } from '../../kernel/operation.ts';
import { Id, Input, invalid, Moment, Output, timeOf, Type } from '../../kernel/schema.ts';
import { execute } from '../../platform/rows.ts';
import { isOfTypes } from './round.ts';
import { lockWebhook } from './webhooks.ts';

/** Maximum events of one call; ask again from the time of the last one. */
const EVENTS_MAX = 1_000;

export const replayWebhook = operation({
  name: 'replay_webhook',
  title: 'Send events again',
  summary:
    'Sends events to a webhook again: one by its id, or all of its types since a time, 1 000 ' +
    'at most. They keep their ids. Free.',
  access: 'owner',
  mode: 'write',
  rest: 'POST /api/v1/webhooks/:webhook_id/replay',
  bindings: { tool: false },
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
    since: Type.Optional(Moment('All events from this time on.')),
  }),
  output: Output({ events: Type.Integer({ description: 'Events sent again.' }) }),

  async handle(tx, { webhook_id, event_id, since }) {
    if ((event_id === undefined) === (since === undefined)) {
      throw invalid([{ pointer: '', message: 'must have either event_id or since' }]);
    }
    await lockWebhook(tx, webhook_id);
    const events = await execute(
      tx.db,
      // Events that wait for an attempt anyway are attempted now.
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
