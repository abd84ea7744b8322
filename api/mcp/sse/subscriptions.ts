import { setTimeout as sleep } from 'node:timers/promises';

import type { Invoke } from '../../../shared/kernel/call.ts';
import { CODES, Refusal } from '../../../shared/kernel/refusal.ts';
import { changes, type ResourceEvent } from '../resources.ts';
import { tools } from '../tool_names.ts';
import type { Stream } from '../../streams/stream.ts';

const URIS_MAX = 100;
const WAIT_MS = 25_000;
/** Pause after a look that was refused, or that found nothing at once. */
const PAUSE_MS = 1_000;

/** The resources that the client of a stream has subscribed to. */
export interface Subscriptions {
  /** Resolves when no later change can be missed. */
  add(uri: string): Promise<void>;
  remove(uri: string): void;
}

interface Page {
  readonly events: readonly ResourceEvent[];
  readonly next_cursor: string;
}

/**
 * Follows the events of the stream's agent, as list_events lists them, from the first subscription
 * until the stream ends. Each look is a call like any other, so it needs a valid key.
 */
export function openSubscriptions(
  invoke: Invoke,
  { token, address, session, ended: { signal } }: Stream,
  { notify, onFault }: { notify: (uri: string) => void; onFault: (error: unknown) => void },
): Subscriptions {
  const uris = new Set<string>();
  let begun: Promise<void> | undefined;

  async function look(cursor?: string): Promise<Page> {
    const answer = await invoke(tools.get('list_events')!, {
      token,
      read: () => ({
        input: cursor === undefined ? { from: 'now' } : { cursor },
        key: undefined,
        waitMs: cursor === undefined ? 0 : WAIT_MS,
      }),
      dropUnknown: false,
      requestId: `stream_${session}`,
      address,
      disconnect: signal,
      isCounted: true, // It is our own call, not the caller's.
    });
    return JSON.parse(answer.body) as Page;
  }

  async function follow(from: string): Promise<void> {
    let cursor = from;
    while (!signal.aborted) {
      const since = performance.now();
      const page = await look(cursor).catch((error: unknown) => {
        if (error instanceof Refusal && CODES[error.code].retryable) return undefined;
        throw error;
      });
      if (page) cursor = page.next_cursor;
      const events = page?.events ?? [];
      for (const uri of uris) if (events.some((event) => changes(uri, event))) notify(uri);
      const isEarly = events.length === 0 && performance.now() - since < PAUSE_MS;
      if (isEarly) await sleep(PAUSE_MS, undefined, { ref: false });
    }
  }

  async function begin(): Promise<void> {
    const { next_cursor: cursor } = await look();
    follow(cursor).catch((error: unknown) => {
      if (!(error instanceof Refusal)) onFault(error); // A revoked key ends the stream.
    });
  }

  return {
    async add(uri) {
      if (uris.size >= URIS_MAX && !uris.has(uri)) {
        throw new Refusal('rate_limited', 'This stream has too many subscriptions. End one first.');
      }
      uris.add(uri);
      begun ??= begin().catch((error: unknown) => {
        begun = undefined;
        uris.delete(uri);
        throw error;
      });
      await begun;
    },
    remove: (uri) => void uris.delete(uri),
  };
}
