import type { Log } from './log.ts';
import { redisForListening } from './redis.ts';

const SUBSCRIBE_MS_MAX = 2_000;

/**
 * Messages from other processes, by channel. All channels share one connection, which exists only
 * while there is a subscription. ioredis renews the subscriptions whenever it reconnects.
 */
export interface PubSub {
  /**
   * Subscribes to a channel, which may have one subscription. Rejects if Redis does not confirm it
   * within two seconds. Returns the function that ends it.
   */
  subscribe(channel: string, onMessage: (text: string) => void): Promise<() => void>;
}

export function openPubSub(redisUrl: string, log: Log): PubSub {
  const listeners = new Map<string, (text: string) => void>();
  let subscriber: ReturnType<typeof redisForListening> | undefined;

  function connected() {
    if (!subscriber) {
      subscriber = redisForListening(redisUrl, log);
      subscriber.on('message', (channel, text) => listeners.get(channel)?.(text));
    }
    return subscriber;
  }

  function unsubscribe(channel: string): void {
    if (!listeners.delete(channel)) return;
    // If this fails, the subscription ends with the connection.
    if (listeners.size > 0) subscriber?.unsubscribe(channel).catch(() => undefined);
    else {
      subscriber?.disconnect();
      subscriber = undefined;
    }
  }

  return {
    async subscribe(channel, onMessage) {
      listeners.set(channel, onMessage);
      let timer: NodeJS.Timeout | undefined;
      const timeUp = new Promise((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error('Redis does not answer')), SUBSCRIBE_MS_MAX);
      });
      try {
        await Promise.race([connected().subscribe(channel), timeUp]);
      } catch (error) {
        unsubscribe(channel);
        throw error;
      } finally {
        clearTimeout(timer);
      }
      return () => unsubscribe(channel);
    },
  };
}
