import type { Caller } from '../../../shared/agents/caller.ts';
import type { Context } from '../../../shared/kernel/context.ts';
import type { PubSub } from '../../../shared/platform/pubsub.ts';
import { PREFIX } from '../../../shared/platform/redis.ts';
import type { Posted } from '../messages.ts';

/** A message to a stream, as it was posted. */
export interface PostedMessage {
  readonly requestId: string;
  readonly message: Posted;
}

export interface Session {
  readonly session: string;
  readonly caller: Caller;
}

/**
 * Brings messages by Redis from the API process that received them to the one that holds the
 * stream. Sealed: a message may hold a password or goods, and no secret goes through Redis. The
 * channel of a session is named after its key too, so a message of another key reaches nobody, as
 * if there were no session.
 */
export interface SseChannels {
  /** To how many processes it went: 0 where there is no such session. Rejects without Redis. */
  publish(to: Session, posted: PostedMessage): Promise<number>;
  /** Returns the function that ends it. Rejects without Redis. */
  subscribe(to: Session, onMessage: (posted: () => PostedMessage) => void): Promise<() => void>;
}

export function openSseChannels({ queue, secrets }: Context, pubSub: PubSub): SseChannels {
  return {
    publish(to, posted) {
      const sealed = secrets.seal(JSON.stringify(posted), locationOf(to));
      return queue.redis.publish(channelOf(to), sealed.toString('base64'));
    },
    subscribe: (to, onMessage) =>
      pubSub.subscribe(channelOf(to), (sealed) => {
        const open = () => secrets.open(Buffer.from(sealed, 'base64'), locationOf(to));
        onMessage(() => JSON.parse(open()) as PostedMessage);
      }),
  };
}

const channelOf = ({ session, caller }: Session) => `${PREFIX}:sse:${caller.keyId}:${session}`;

const locationOf = ({ session, caller }: Session) => ({
  table: 'mcp_session',
  column: 'message',
  row: session,
  owner: caller.keyId,
});
