import type { RequestId } from '@modelcontextprotocol/server';

import type { Context } from '../../shared/composition/context.ts';
import { throttled } from '../../shared/platform/log.ts';
import type { PubSub } from '../../shared/platform/pubsub.ts';
import { PREFIX } from '../../shared/platform/redis.ts';

/** The name of a request; its id is unique within `scope`. */
interface RequestName {
  readonly scope: string;
  readonly id: RequestId;
}

/** A call that can be cancelled: its signal aborts then. */
export interface Cancellable {
  readonly signal: AbortSignal;
  /** Ends it: it is answered. */
  end(): void;
}

/**
 * The calls of this process that `notifications/cancelled` may cancel. The notification may reach
 * any API process. A cancelled call only stops waiting for its job; the accepted job goes on.
 */
export interface Cancellations {
  begin(request: RequestName): Cancellable;
  cancel(request: RequestName): void;
}

const ID_CHARS_MAX = 200;

export function openCancellations(
  { log, queue }: Context,
  pubSub: PubSub,
  draining: AbortSignal,
): Cancellations {
  const channel = `${PREFIX}:mcp:cancelled`;
  const calls = new Map<string, Set<AbortController>>();
  const warn = throttled(log);
  let subscription: Promise<() => void> | undefined;

  const abort = (name: string) => calls.get(name)?.forEach((controller) => controller.abort());

  /** Subscribes with the first call that could be cancelled. If it fails, the next call retries. */
  function subscribe(): void {
    if (subscription || draining.aborted) return;
    subscription = pubSub.subscribe(channel, abort);
    subscription.then(
      (unsubscribe) => draining.addEventListener('abort', unsubscribe),
      (error: unknown) => {
        subscription = undefined;
        warn('cancellations that reach other processes are not heard of', error);
      },
    );
  }

  return {
    begin(request) {
      const name = nameOf(request);
      const controller = new AbortController();
      const others = calls.get(name) ?? new Set();
      calls.set(name, others.add(controller));
      subscribe();
      return {
        signal: controller.signal,
        end() {
          others.delete(controller);
          if (others.size === 0) calls.delete(name);
        },
      };
    },
    cancel(request) {
      const name = nameOf(request);
      if (name.length > ID_CHARS_MAX) return;
      abort(name);
      queue.redis.publish(channel, name).catch(() => undefined); // Losing it only costs waiting.
    },
  };
}

const nameOf = ({ scope, id }: RequestName) => `${scope} ${JSON.stringify(id)}`;
