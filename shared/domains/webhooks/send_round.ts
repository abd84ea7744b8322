import { viewOf } from '../events/event_view.ts';
import type { Context } from '../../composition/context.ts';
import { withEscapes } from '../../kernel/text.ts';
import { faultOf, hasArrived, type WebhookAnswer } from './gateway.ts';
import type { Attempt, RoundResult, Round } from './round.ts';
import { signedHeaders } from './signature.ts';
import { previousSecretOf, secretOf } from './webhooks.ts';

/** A round begins no attempt after this time, so it ends before the next one is claimed. */
const BEGIN_MS_MAX = 15_000;

/**
 * Sends the due events to one webhook: those of one object in order, those of different objects in
 * parallel. Each is sent at least once: an event that arrived and could not be recorded is sent
 * again.
 */
export async function sendRound(
  { gateways, secrets, clock }: Pick<Context, 'gateways' | 'secrets' | 'clock'>,
  round: Round,
): Promise<RoundResult> {
  const { webhook } = round;
  const startedAt = performance.now();
  const keys = [secrets.open(webhook.secret, secretOf(webhook))];
  if (webhook.previous) keys.push(secrets.open(webhook.previous, previousSecretOf(webhook)));
  const byObject = new Map<string, Round['events'][number]['event'][]>();
  for (const { event } of round.events) {
    const object = `${event.object_kind} ${event.object_id}`;
    byObject.set(object, [...(byObject.get(object) ?? []), event]);
  }
  const attempts: Attempt[] = [];
  await Promise.all(
    [...byObject.values()].map(async (events) => {
      for (const event of events) {
        if (performance.now() - startedAt > BEGIN_MS_MAX) return; // The event stays due.
        const view = viewOf(event);
        const body = withEscapes(JSON.stringify(view));
        // By the clock of the database: receivers refuse messages that seem old.
        const headers = signedHeaders(keys, { id: view.id, body, now: clock.now() });
        const message = { webhookId: webhook.id, url: webhook.url, headers, body };
        const answer = await gateways!.webhooks.send(message);
        attempts.push({ eventId: event.id, ...outcomeOf(answer) });
        if (!hasArrived(answer)) return; // Later events of the object wait for this one.
      }
    }),
  );
  return { round, attempts };
}

const outcomeOf = (answer: WebhookAnswer) => ({
  httpStatus: 'status' in answer ? answer.status : null,
  fault: hasArrived(answer) ? null : faultOf(answer),
});
