import { PLATFORM } from '../../agents/caller.ts';
import { newJobId } from '../../jobs/jobs.ts';
import type { Context } from '../../kernel/context.ts';
import { perform } from '../../kernel/perform.ts';
import { recordStripeEvent } from './record_stripe_event.ts';

/** An event whose signature is Stripe's. */
export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  /** Of its payment; undefined: it has none. */
  readonly payment_id?: string;
}

/** Resolves when the event is committed. One that is known already changes nothing. */
export async function receiveStripeEvent(
  context: Context,
  event: StripeEvent,
  requestId: string,
): Promise<void> {
  const now = context.clock.now();
  const call = { caller: PLATFORM, key: newJobId(now), requestId, now };
  await perform(context, recordStripeEvent, event, call);
}
