import type { Proof } from '../ledger/proof.ts';
import { isOfTypes } from './round.ts';

/** Proofs that no webhook misses an event. */
export const webhooksProofs: readonly Proof[] = [
  {
    name: 'each event up to the position of a webhook was sent to it, or waits to be sent',
    // Records of events that arrived are deleted after three days.
    sql: `select w.id as webhook_id, e.id as event_id, e.type
            from webhook w join event e
              on e.root_id = w.root_id and e.id > w.types_from and e.id <= w.position
           where ${isOfTypes('e.type', 'w.types')} and e.occurred_at > now() - interval '2 days'
             and not exists (select from webhook_delivery
                              where webhook_id = w.id and event_id = e.id)`,
  },
];
