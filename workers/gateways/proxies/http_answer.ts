/** The bytes are not an HTTP/1.1 answer, or not one that we accept. */
export class BadAnswer extends Error {}
export class AnswerTooLong extends BadAnswer {}

export interface Answer {
  readonly status: number;
  /** Read only for status 200. One character is one byte. */
  readonly body: string;
}

/** Reads one answer as its bytes come (RFC 9112). Throws BadAnswer. */
interface AnswerReader {
  /** Undefined: more bytes are needed. */
  read(chunk: Buffer): Answer | undefined;
  /** Ends the answer: the other side has ended. */
  end(): Answer;
}

interface Head {
  readonly status: number;
  /** Body length in bytes; undefined: see `isChunked`, or it ends with the connection. */
  readonly length: number | undefined;
  readonly isChunked: boolean;
}

const HEAD_MAX = 16_384;
/** Maximum interim answers (100 to 199). */
const INTERIM_MAX = 5;
/** Maximum times that a chunked body is decoded, whenever it may be complete. */
const DECODES_MAX = 32;
const END_OF_HEAD = '\r\n\r\n';
const SWITCHING_PROTOCOLS = 101;

export function openAnswerReader(bytesMax: number): AnswerReader {
  let text = '';
  let tail = '';
  let head: Head | undefined;
  let searched = 0;
  let interim = 0;
  let decodes = 0;

  /** Takes heads off the text; false: that of the final answer has not come yet. */
  function readHeads(): boolean {
    while (!head) {
      const end = text.indexOf(END_OF_HEAD, searched);
      if ((end < 0 ? text.length : end) > HEAD_MAX) throw new AnswerTooLong('its head is too long');
      searched = end < 0 ? Math.max(0, text.length - END_OF_HEAD.length + 1) : 0;
      if (end < 0) return false;
      const found = headOf(text.slice(0, end));
      text = text.slice(end + END_OF_HEAD.length);
      if (found.status >= 200) head = found;
      else interim += 1;
      if (found.status === SWITCHING_PROTOCOLS) throw new BadAnswer('it speaks another protocol');
      if (interim > INTERIM_MAX) throw new BadAnswer('it answers without end');
    }
    return true;
  }

  function answerOf({ status, length, isChunked }: Head): Answer | undefined {
    if (status !== 200) return { status, body: '' };
    if ((length ?? text.length) > bytesMax) throw new AnswerTooLong('it is too long');
    if (length !== undefined) {
      return text.length < length ? undefined : { status, body: text.slice(0, length) };
    }
    if (!isChunked || tail !== END_OF_HEAD) return undefined;
    decodes += 1;
    if (decodes > DECODES_MAX) throw new BadAnswer('it ends too often');
    const body = decoded(text);
    return body === undefined ? undefined : { status, body };
  }

  return {
    read(chunk) {
      const piece = chunk.toString('latin1');
      text += piece;
      tail = (tail + piece.slice(-END_OF_HEAD.length)).slice(-END_OF_HEAD.length);
      return readHeads() ? answerOf(head!) : undefined;
    },
    end() {
      if (!head || head.isChunked || head.length !== undefined) {
        throw new BadAnswer('it ended within its answer');
      }
      return { status: head.status, body: text };
    },
  };
}

function headOf(text: string): Head {
  const [first, ...lines] = text.split('\r\n');
  const [, digits] = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/.exec(first!) ?? [];
  if (digits === undefined) throw new BadAnswer('it is no HTTP');
  let length: number | undefined;
  let isChunked = false;
  for (const line of lines) {
    const [, name, value] = /^([^\s:]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (name === undefined) throw new BadAnswer('it is no HTTP');
    switch (name.toLowerCase()) {
      case 'content-length':
        if (length !== undefined || !/^\d{1,9}[ \t]*$/.test(value!))
          throw new BadAnswer('a length');
        length = Number(value);
        break;
      case 'transfer-encoding':
        if (isChunked || !/^chunked[ \t]*$/i.test(value!)) throw new BadAnswer('an encoding');
        isChunked = true;
    }
  }
  // Two readers could see two different bodies (RFC 9112 §6.1).
  if (isChunked && length !== undefined) throw new BadAnswer('two lengths');
  return { status: Number(digits), length, isChunked };
}

/** Decodes a chunked body; undefined: it is not complete. */
function decoded(text: string): string | undefined {
  let body = '';
  for (let at = 0; ;) {
    const end = text.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const [, digits] = /^([\da-f]{1,6})[ \t]*(?:;.*)?$/i.exec(text.slice(at, end)) ?? [];
    if (digits === undefined) throw new BadAnswer('a chunk');
    const size = Number.parseInt(digits, 16);
    // After the last chunk come fields, up to an empty line.
    if (size === 0) return text.indexOf(END_OF_HEAD, end) < 0 ? undefined : body;
    const next = end + 2 + size;
    if (text.length < next + 2) return undefined;
    if (text.slice(next, next + 2) !== '\r\n') throw new BadAnswer('a chunk');
    body += text.slice(end + 2, next);
    at = next + 2;
  }
}
