import { Transform } from 'node:stream';

import type { Framing } from './head.ts';

/** Bytes behind a request that are dropped before the connection ends. */
const DROPPED_MAX = 65_536;
/** Maximum length of a line between chunks, and of all fields behind them. */
const LINE_MAX = 1_024;
const TRAILER_MAX = 16_384;

/**
 * Passes one request: its head, then exactly its body. What a client sends behind it is dropped: it
 * would be the next request to this proxy, with its key in it.
 */
export function oneRequest(head: string, framing: Framing): Transform {
  const isBody = framing === 'chunked' ? openChunks() : openLength(framing.length);
  let dropped = 0;
  const request = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        const taken = isBody(chunk);
        dropped += chunk.length - taken;
        if (dropped > DROPPED_MAX) throw new Error('too many bytes behind a request');
        done(null, taken > 0 ? chunk.subarray(0, taken) : undefined);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  request.push(Buffer.from(head, 'latin1'));
  return request;
}

/** Returns how many bytes of a chunk belong to the body. */
type BodyReader = (chunk: Buffer) => number;

function openLength(length: number): BodyReader {
  let left = length;
  return (chunk) => {
    const taken = Math.min(left, chunk.length);
    left -= taken;
    return taken;
  };
}

/** The encoding of RFC 9112 §7.1. Throws if the bytes are not in it. */
function openChunks(): BodyReader {
  let state: 'size' | 'data' | 'end_of_data' | 'trailer' | 'over' = 'size';
  let line = '';
  let left = 0;
  let trailer = 0;

  function readLine(): void {
    const text = line.slice(0, -2);
    line = '';
    if (/[\r\n]/.test(text)) throw new Error('a line of a chunk');
    if (state === 'end_of_data') {
      if (text !== '') throw new Error('the end of a chunk');
      state = 'size';
    } else if (state === 'trailer') {
      trailer += text.length;
      if (trailer > TRAILER_MAX) throw new Error('the fields behind the chunks');
      if (text === '') state = 'over';
    } else {
      const [, digits] = /^([\da-f]{1,12})[ \t]*(?:;.*)?$/i.exec(text) ?? [];
      if (digits === undefined) throw new Error('the size of a chunk');
      left = Number.parseInt(digits, 16);
      state = left === 0 ? 'trailer' : 'data';
    }
  }

  return (chunk) => {
    let at = 0;
    while (at < chunk.length && state !== 'over') {
      if (state === 'data') {
        const taken = Math.min(left, chunk.length - at);
        at += taken;
        left -= taken;
        if (left === 0) state = 'end_of_data';
        continue;
      }
      line += String.fromCharCode(chunk[at]!);
      at += 1;
      if (line.length > LINE_MAX) throw new Error('a line of a chunk');
      if (line.endsWith('\n')) {
        if (!line.endsWith('\r\n')) throw new Error('a line of a chunk');
        readLine();
      }
    }
    return at;
  };
}
