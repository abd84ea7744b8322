import { viewOf } from '../events/event_view.ts';
import { operation } from '../kernel/operation.ts';
import { Input, Id, Output, Text, Type } from '../kernel/schema.ts';
import { findRound, type Round } from './round.ts';
import { faultOf, hasArrived, type WebhookAnswer, type WebhookGateway } from './gateway.ts';
import { endClaim, recordRound, type Attempt, type RoundResult } from './record_round.ts';
import { signedHeaders } from './signature.ts';

/** A round begins no attempt after this time, so it ends before the next one is claimed. */
const BEGIN_MS_MAX = 15_000;

/**
 * One round of one webhook: what is due for it is sent, and what did not arrive waits for another
 * attempt. So a webhook uses one slot of a worker at a time. Each event is sent at least once: what
 * arrived and could not be recorded is sent again.
 */
export const deliverEvents = operation({
  name: 'deliver_events',
  title: 'Deliver events',
  summary: 'Internal: sends events to a webhook.',
  access: 'operator',
  mode: 'job',
  domain: 'webhooks',
  queue: 'webhooks',
  gatherMs: 40_000,
  input: Input({
    webhook_id: Id('The webhook.'),
    holder: Text(1, 20, 'Whose share of a worker it uses: a tree, or all that fail.'),
  }),
  output: Output({
    arrived: Type.Integer({ description: 'How many events.' }),
    failed: Type.Integer({ description: 'How many did not.' }),
  }),

  prepare: (tx, { webhook_id }) => findRound(tx, webhook_id),

  gather: async ({ webhooks }, _input, _call, round): Promise<RoundResult | undefined> =>
    round && send(webhooks, round),

  async handle(tx, { webhook_id, holder }, result) {
    if (!result) {
      await endClaim(tx.db, webhook_id);
      return { arrived: 0, failed: 0 };
    }
    const { arrived, failed, more } = await recordRound(tx, webhook_id, result);
    if (more) await tx.enqueue(itself, { webhook_id, holder }, { cause: 'next' });
    return { arrived, failed };
  },
});

const itself = { name: 'deliver_events', queue: 'webhooks', input: deliverEvents.input } as const;

/** The events of one object go one after the other, those of different objects side by side. */
async function send(webhooks: WebhookGateway, round: Round) {
  const startedAt = performance.now();
  const byObject = new Map<string, Round['events'][number][]>();
  for (const due of round.events) {
    const object = `${due.event.object_kind} ${due.event.object_id}`;
    byObject.set(object, [...(byObject.get(object) ?? []), due]);
  }
  const attempts: Attempt[] = [];
  await Promise.all(
    [...byObject.values()].map(async (events) => {
      for (const { event, attempts: before } of events) {
        const elapsedMs = performance.now() - startedAt;
        if (elapsedMs > BEGIN_MS_MAX) return; // It stays due.
        const now = new Date(round.now.getTime() + elapsedMs);
        const view = viewOf(event);
        const body = JSON.stringify(view);
        const headers = signedHeaders(round.secrets, { id: view.id, body, now });
        const answer = await webhooks.send({ url: round.url, headers, body });
        attempts.push({ eventId: event.id, before, ...outcomeOf(answer) });
        if (!hasArrived(answer)) return; // What came after it, comes after it.
      }
    }),
  );
  return { round, attempts };
}

const outcomeOf = (answer: WebhookAnswer) => ({
  httpStatus: 'status' in answer ? answer.status : null,
  fault: hasArrived(answer) ? null : faultOf(answer),
});
