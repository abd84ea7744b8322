import type { Log } from './log.ts';
import { redisForListening } from './redis.ts';

const LISTEN_MS_MAX = 2_000;

/**
 * Word from other processes, by channel. One connection however many channels, and none while
 * nobody listens; ioredis subscribes to all of them again whenever it has to reconnect.
 */
export interface PubSub {
  /** Rejects when Redis has not agreed within two seconds. Returns what ends it. */
  listen(channel: string, hear: (text: string) => void): Promise<() => void>;
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

  function leave(channel: string): void {
    if (!listeners.delete(channel)) return;
    // What is not unsubscribed here ends with the connection.
    if (listeners.size > 0) subscriber?.unsubscribe(channel).catch(() => undefined);
    else {
      subscriber?.disconnect();
      subscriber = undefined;
    }
  }

  return {
    async listen(channel, hear) {
      listeners.set(channel, hear);
      let timer: NodeJS.Timeout | undefined;
      const timeUp = new Promise((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error('Redis does not answer')), LISTEN_MS_MAX);
      });
      try {
        await Promise.race([connected().subscribe(channel), timeUp]);
      } catch (error) {
        leave(channel);
        throw error;
      } finally {
        clearTimeout(timer);
      }
      return () => leave(channel);
    },
  };
}
