import type { Caller } from '../../../shared/kernel/caller.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { noteParts, unkeptIn, type UnkeptPart } from '../../../shared/kernel/reading/unkept.ts';
import type { PubSub } from '../../../shared/platform/pubsub.ts';
import { PREFIX } from '../../../shared/platform/redis.ts';
import type { PostedBody } from '../messages/posted_body.ts';

/** A message to a stream, as posted. */
export interface PostedMessage {
  readonly requestId: string;
  readonly message: PostedBody;
}

interface Session {
  readonly session: string;
  readonly caller: Caller;
}

/**
 * Carries messages by Redis from the API process that received them to the one with the stream.
 * They are sealed: a message may hold a password or goods, and no secret goes through Redis. The
 * name of the channel depends on the key, so a message with another key reaches nobody, as if
 * there were no such session.
 */
interface SseChannels {
  /** Returns the number of processes reached; 0: no such session. Rejects without Redis. */
  publish(to: Session, posted: PostedMessage): Promise<number>;
  /** Returns a function that ends the subscription. Rejects without Redis. */
  subscribe(to: Session, onMessage: (posted: () => PostedMessage) => void): Promise<() => void>;
}

export function openSseChannels({ queue, secrets }: Context, pubSub: PubSub): SseChannels {
  return {
    publish(to, posted) {
      const text = JSON.stringify({ ...posted, unkept: unkeptIn(posted) });
      const sealed = secrets.seal(text, locationOf(to));
      return queue.redis.publish(channelOf(to), sealed.toString('base64'));
    },
    subscribe: (to, onMessage) =>
      pubSub.subscribe(channelOf(to), (sealed) => {
        const open = () => secrets.open(Buffer.from(sealed, 'base64'), locationOf(to));
        onMessage(() => readPosted(open()));
      }),
  };
}

/** The message, with what its own JSON text said and its value does not keep. */
function readPosted(text: string): PostedMessage {
  // A process of the previous release sends no `unkept`.
  const { unkept = [], ...posted } = JSON.parse(text) as PostedMessage & {
    readonly unkept?: readonly UnkeptPart[];
  };
  noteParts(posted, unkept);
  return posted;
}

const channelOf = ({ session, caller }: Session) => `${PREFIX}:sse:${caller.keyId}:${session}`;

const locationOf = ({ session, caller }: Session) => ({
  table: 'mcp_session',
  column: 'message',
  row: session,
  owner: caller.keyId,
});
