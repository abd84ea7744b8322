import { PLATFORM } from '../../../kernel/caller.ts';
import { newJobId } from '../../../jobs/jobs.ts';
import type { Context } from '../../../composition/context.ts';
import { perform } from '../../../performing/perform.ts';
import { recordStripeEvent } from './record_stripe_event.ts';

/** An event whose signature is Stripe's. */
export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  /** Id of its payment; undefined: it has none. */
  readonly payment_id?: string;
}

/** Records an event; resolves when it is committed. A known event changes nothing. */
export async function receiveStripeEvent(
  context: Context,
  event: StripeEvent,
  requestId: string,
): Promise<void> {
  const now = context.clock.now();
  const call = { caller: PLATFORM, key: newJobId(now), requestId, now };
  await perform(context, recordStripeEvent, event, call);
}
