import type Stripe from 'stripe';

import { newId, type Store } from './store.ts';

/** API version of these answers: that of the pinned SDK. */
export const API_VERSION = '2026-10-28.endive';

/** The Stripe account that the double plays: its objects and their events. */
export interface Account {
  readonly store: Store;
  /** Unix seconds. */
  readonly now: () => number;
  /** URL of the double, for the addresses of pay pages. */
  readonly url: () => string;
  /** Sends an event about an object to the endpoints. */
  readonly emit: (type: string, object: object) => void;
}

/** The request that causes an event; the event names it. */
export interface Cause {
  readonly id: string | null;
  readonly idempotency_key: string | null;
}

export function openAccount(options: {
  readonly store: Store;
  readonly url: () => string;
  readonly cause: () => Cause;
  readonly endpoints: number;
  readonly send: (event: Stripe.Event) => void;
}): Account {
  const { store, url, cause, endpoints, send } = options;
  const now = () => Math.floor(Date.now() / 1000);
  return {
    store,
    now,
    url,
    emit(type, object) {
      const event = {
        id: newId('evt'),
        object: 'event',
        api_version: API_VERSION,
        created: now(),
        data: { object: structuredClone(object) },
        livemode: false,
        pending_webhooks: endpoints,
        request: cause(),
        type,
      } as unknown as Stripe.Event;
      store.save(event);
      send(event);
    },
  };
}
