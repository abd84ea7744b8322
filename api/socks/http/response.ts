import { Transform } from 'node:stream';

import { openBody, type BodyReader } from './bodies.ts';
import { endToEnd, FRAMING, valuesOf, type Field } from './head.ts';

/** Maximum bytes of a target's head: targets may say more than clients. */
const HEAD_MAX = 65_536;
/** Maximum interim answers (100 to 199). */
const INTERIM_MAX = 16;
/** No target may switch: a request never asks for it, as its field Upgrade is not passed. */
const SWITCHING_PROTOCOLS = 101;
const NO_CONTENT = 204;
const WITHOUT_BODY: readonly number[] = [NO_CONTENT, 304];
const VERSION = 'HTTP/1.';
const ENCODING = 'transfer-encoding';

/** The target's bytes are no answer of HTTP. `outcome` is the reason. */
export class BadResponse extends Error {
  readonly outcome: string;

  constructor(outcome = 'not_http') {
    super(outcome);
    this.outcome = outcome;
  }
}

/** Passes a target's answer, and ends with it. */
export interface Response {
  readonly bytes: Transform;
  /** Whether the client has a part of the answer, so that no other can take its place. */
  hasBegun(): boolean;
}

/**
 * Passes a target's answer with another head: without fields about its own connection and about
 * proxies, and with the end of the client's connection, on which nothing else follows.
 */
export function oneResponse(method: string): Response {
  let head = '';
  let hasBytes = false;
  let interim = 0;
  /** Undefined before the body. `until_close`: the target's connection ends with it. */
  let body: BodyReader | 'until_close' | undefined;

  /** Passes the heads in the text; returns what is behind the last of them, once it has passed. */
  function passHeads(): Buffer | undefined {
    for (;;) {
      checkFirstLine(head);
      const [end] = /\r?\n\r?\n/.exec(head) ?? [];
      if (end === undefined) {
        if (head.length > HEAD_MAX) throw new BadResponse();
        return undefined;
      }
      const at = head.indexOf(end);
      const parsed = parseHead(head.slice(0, at));
      const final = isInterim(parsed.status) ? undefined : bodyOf(parsed, method);
      bytes.push(Buffer.from(textOf(parsed), 'latin1'));
      head = head.slice(at + end.length);
      if (final !== undefined) {
        body = final;
        return Buffer.from(head, 'latin1');
      }
      if ((interim += 1) > INTERIM_MAX) throw new BadResponse();
    }
  }

  function passBody(chunk: Buffer): void {
    if (body === 'until_close' || body === undefined) return void bytes.push(chunk);
    const taken = takenOf(body, chunk);
    if (taken === undefined) {
      body = 'until_close';
      return void bytes.push(chunk);
    }
    if (taken > 0) bytes.push(chunk.subarray(0, taken));
    // Bytes behind an answer belong to nobody.
    if (body.isOver) bytes.push(null);
  }

  const bytes = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hasBytes = true;
      if (bytes.readableEnded || isOver(body)) return done();
      try {
        if (body === undefined) head += chunk.toString('latin1');
        const rest = body === undefined ? passHeads() : chunk;
        if (rest) passBody(rest);
        return done();
      } catch (error) {
        return done(error as Error);
      }
    },
    flush(done) {
      if (body !== undefined) return done();
      return done(new BadResponse(hasBytes ? 'not_http' : 'proxy_disconnected'));
    },
  });
  return { bytes, hasBegun: () => body !== undefined };
}

const isOver = (body: BodyReader | 'until_close' | undefined) =>
  typeof body === 'object' && body.isOver;

/** Bytes of a body; undefined: it is not in its encoding, so only the target knows its end. */
function takenOf(body: BodyReader, chunk: Buffer): number | undefined {
  try {
    return body.take(chunk);
  } catch {
    return undefined;
  }
}

const isInterim = (status: number) => status >= 100 && status < 200;

/** Refuses bytes that no head of an answer begins with, before the head is complete. */
function checkFirstLine(head: string): void {
  const [line, ...more] = head.slice(0, HEAD_MAX).split(/\r?\n/, 2);
  if (more.length > 0) statusOf(line!);
  else if (!VERSION.startsWith(line!.slice(0, VERSION.length))) throw new BadResponse();
}

function statusOf(line: string): number {
  const [, digits] = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(line) ?? [];
  const status = Number(digits);
  if (digits === undefined || status === SWITCHING_PROTOCOLS) throw new BadResponse();
  return status;
}

interface Head {
  readonly first: string;
  readonly status: number;
  readonly fields: readonly Field[];
}

function parseHead(text: string): Head {
  const [first, ...lines] = text.split(/\r?\n/);
  const fields = lines
    .map((line) => {
      const colon = line.indexOf(':');
      return {
        name: line.slice(0, Math.max(0, colon)).trim(),
        value: line.slice(colon + 1).trim(),
      };
    })
    .filter(({ name }) => name !== '');
  return { first: first!, status: statusOf(first!), fields };
}

/**
 * The head for the client. With both framings, the length counts for nobody (RFC 9112 §6.3). An
 * interim answer and a 204 have neither (§6.1, 6.2): a client could wait for a body.
 */
function textOf({ first, status, fields }: Head): string {
  const isEncoded = valuesOf(fields, ENCODING).length > 0;
  const isFramed = !isInterim(status) && status !== NO_CONTENT;
  const dropped = isFramed ? FRAMING.filter((name) => isEncoded && name !== ENCODING) : FRAMING;
  const kept = endToEnd(fields)
    .filter(({ name }) => !dropped.includes(name.toLowerCase()))
    .map(({ name, value }) => `${name}: ${value}`);
  const all = [first, ...kept, ...(isInterim(status) ? [] : ['Connection: close'])];
  return `${all.join('\r\n')}\r\n\r\n`;
}

/** The body behind a head (RFC 9112 §6.3). */
function bodyOf({ status, fields }: Head, method: string): BodyReader | 'until_close' {
  if (method === 'HEAD' || WITHOUT_BODY.includes(status)) return openBody({ length: 0 });
  const encodings = listOf(valuesOf(fields, ENCODING));
  if (encodings.length > 0) {
    return /^chunked$/i.test(encodings.at(-1)!) ? openBody('chunked') : 'until_close';
  }
  const lengths = new Set(listOf(valuesOf(fields, 'content-length')));
  if (lengths.size === 0) return 'until_close';
  const [length] = lengths;
  if (lengths.size > 1 || !/^\d{1,15}$/.test(length!)) throw new BadResponse();
  return openBody({ length: Number(length) });
}

const listOf = (values: readonly string[]): string[] =>
  values.flatMap((value) => value.split(',')).map((value) => value.trim());
