import { BadRequest, type Framing } from './head.ts';

/** Finds the end of one body. */
export interface BodyReader {
  /** Returns how many bytes of a chunk belong to the body. Throws if its encoding is broken. */
  take(chunk: Buffer): number;
  readonly isOver: boolean;
}

/** Maximum length of a line between chunks, and of all fields behind them. */
const LINE_MAX = 1_024;
const TRAILER_MAX = 16_384;

export const openBody = (framing: Framing): BodyReader =>
  framing === 'chunked' ? openChunks() : openLength(framing.length);

function openLength(length: number): BodyReader {
  let left = length;
  return {
    take(chunk) {
      const taken = Math.min(left, chunk.length);
      left -= taken;
      return taken;
    },
    get isOver() {
      return left === 0;
    },
  };
}

/** The encoding of RFC 9112 §7.1. */
function openChunks(): BodyReader {
  let state: 'size' | 'data' | 'end_of_data' | 'trailer' | 'over' = 'size';
  let line = '';
  let left = 0;
  let trailer = 0;

  function readLine(): void {
    const text = line.slice(0, -2);
    line = '';
    if (/[\r\n]/.test(text)) throw badChunk();
    if (state === 'end_of_data') {
      if (text !== '') throw badChunk();
      state = 'size';
    } else if (state === 'trailer') {
      trailer += text.length;
      if (trailer > TRAILER_MAX) throw badChunk();
      if (text === '') state = 'over';
    } else {
      const [, digits] = /^([\da-f]{1,12})[ \t]*(?:;.*)?$/i.exec(text) ?? [];
      if (digits === undefined) throw badChunk();
      left = Number.parseInt(digits, 16);
      state = left === 0 ? 'trailer' : 'data';
    }
  }

  return {
    take(chunk) {
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
        if (line.length > LINE_MAX) throw badChunk();
        if (line.endsWith('\n')) {
          if (!line.endsWith('\r\n')) throw badChunk();
          readLine();
        }
      }
      return at;
    },
    get isOver() {
      return state === 'over';
    },
  };
}

const badChunk = () => new BadRequest('The chunks of the body are not valid (RFC 9112, 7.1).');
