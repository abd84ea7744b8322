import { Transform } from 'node:stream';

import { openBody } from './bodies.ts';
import { BadRequest, type Framing } from './head.ts';

/** Bytes behind a request that are dropped before the connection ends. */
const DROPPED_MAX = 65_536;

/**
 * Passes one request: its head, then exactly its body. What a client sends behind it is dropped: it
 * would be the next request to this proxy, with its key in it.
 */
export function oneRequest(head: string, framing: Framing): Transform {
  const body = openBody(framing);
  let dropped = 0;
  const request = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        const taken = body.take(chunk);
        dropped += chunk.length - taken;
        if (dropped > DROPPED_MAX) throw new BadRequest('Too many bytes follow the request.');
        done(null, taken > 0 ? chunk.subarray(0, taken) : undefined);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  request.push(Buffer.from(head, 'latin1'));
  return request;
}
