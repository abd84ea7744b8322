import type { IncomingMessage } from 'node:http';

import { overloaded, Refusal } from '../../shared/kernel/refusal.ts';
import { NO_JSON, readJsonText } from '../../shared/kernel/reading/json_text.ts';
import { argumentsIn, type Arguments } from '../arguments/call_arguments.ts';
import { decompressed, decompressionOf } from './bodies/content_encoding.ts';
import { turnToRead } from './bodies/large_bodies.ts';
import type { State } from './routes.ts';
import { openUnfinishedBodies } from './bodies/unfinished_bodies.ts';

/** Maximum bytes of the body of a call with a key. */
export const BODY_BYTES_MAX = 256 * 1024;
/** Limits for callers with a key: size of a body, and memory for all unfinished bodies. */
const OF_KNOWN = { bytesMax: BODY_BYTES_MAX, bodies: openUnfinishedBodies(60 * 1024 * 1024) };
/** The same of a form, where a byte of text takes up to three. */
const FORM_OF_KNOWN = { ...OF_KNOWN, bytesMax: 3 * BODY_BYTES_MAX };
/** The same of a file: 16 MB, and a form around it. */
const FILE_OF_KNOWN = { ...OF_KNOWN, bytesMax: 16 * 1024 * 1024 + 64 * 1024 };
/** Limits for all others. They take no memory from callers with a key. */
const OF_UNKNOWN = { bytesMax: 8 * 1024, bodies: openUnfinishedBodies(4 * 1024 * 1024) };
/**
 * Bytes read of a body that is too large: most senders read no answer before they have sent all.
 */
const DRAIN_BYTES_MAX = 17 * 1024 * 1024;
const DRAIN_PAUSE_MS = 2;

/** A request, with what is known of its sender by now: authenticate before you read. */
interface SentRequest {
  readonly req: IncomingMessage;
  readonly state: Pick<State, 'tree' | 'operator' | 'address'>;
}

/** The sender disconnected in the middle of its request: nobody is left to answer. */
export class SenderDisconnected extends Error {}

/** Reads the body, which must be an object of arguments in JSON. */
export async function readObject(sent: SentRequest): Promise<Arguments> {
  return argumentsIn(await readJson(sent));
}

/** Reads the body, which must be JSON; without a body it is an empty object. */
export const readJson = async (sent: SentRequest): Promise<unknown> => (await readText(sent)).value;

/** A body of JSON, with its text, for numbers that lose digits in the value. */
interface JsonBody {
  readonly value: unknown;
  readonly text: string;
}

export async function readText(sent: SentRequest): Promise<JsonBody> {
  const bytes = await readBytes(sent);
  if (bytes.length === 0) return { value: {}, text: '' };
  await turnToRead(holderOf(sent.state), bytes.length);
  const text = textOf(bytes);
  const read = text === undefined ? { fault: NO_JSON } : readJsonText(text);
  if ('fault' in read) throw new Refusal('validation_error', `The body ${read.fault}.`);
  return { value: read.value, text: text! };
}

/** The text of a body; undefined: it is not UTF-8. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether the sender has a key or is an operator. */
const knownOf = ({ tree, operator }: SentRequest['state']) => tree || operator;
const holderOf = (state: SentRequest['state']) => knownOf(state) || state.address;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the body of a form, as it was encoded. */
export const readFormBytes = (sent: SentRequest): Promise<Buffer> =>
  readBytes(sent, knownOf(sent.state) ? FORM_OF_KNOWN : OF_UNKNOWN);

/** Reads the body of a sender with a key, which is a file. */
export async function readFileBytes(sent: SentRequest): Promise<Buffer> {
  const bytes = await readBytes(sent, knownOf(sent.state) ? FILE_OF_KNOWN : OF_UNKNOWN);
  await turnToRead(holderOf(sent.state), bytes.length);
  return bytes;
}

/** Reads the body, decompressed. */
export async function readBytes(
  { req, state }: SentRequest,
  limits = knownOf(state) ? OF_KNOWN : OF_UNKNOWN,
): Promise<Buffer> {
  const decompress = decompressionOf(req.headers['content-encoding']);
  const { bytesMax } = limits;
  const tooLarge = () =>
    new Refusal(
      'payload_too_large',
      limits === OF_UNKNOWN
        ? 'The body is too large for a call without a key.'
        : `The body is larger than ${bytesMax / 1024} kB as it is sent, escapes of JSON included.`,
      { bytes_max: bytesMax },
    );
  const sent = await readSent({ req, state }, { tooLarge, ...limits });
  return decompress ? decompressed(decompress, sent, tooLarge, bytesMax) : sent;
}

interface Limits {
  readonly bytesMax: number;
  readonly bodies: typeof OF_KNOWN.bodies;
  readonly tooLarge: () => Refusal;
}

/**
 * Reads the body as it was sent. A dropped body is answered at once, and its rest is not kept.
 */
function readSent({ req, state }: SentRequest, limits: Limits): Promise<Buffer> {
  const { bytesMax, bodies, tooLarge } = limits;
  // One that says so itself is answered before it is sent.
  if (Number(req.headers['content-length']) > DRAIN_BYTES_MAX) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isComplete = false;
    const body = bodies.begin(holderOf(state), () => {
      size = Infinity;
      chunks.length = 0;
      reject(overloaded());
    });
    // A body that is only read to be dropped is read slowly, so that other requests come first.
    const slowDown = () => {
      req.pause();
      setTimeout(() => req.resume(), DRAIN_PAUSE_MS);
    };
    const drop = () => {
      body.end();
      chunks.length = 0;
    };
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > bytesMax) {
        drop();
        slowDown();
      } else {
        chunks.push(chunk);
        body.hold(chunk.length);
      }
      if (size > DRAIN_BYTES_MAX) reject(tooLarge());
    });
    req.on('end', () => {
      isComplete = true;
      const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      drop();
      if (size > bytesMax) reject(tooLarge());
      else resolve(whole);
    });
    const disconnected = () => {
      drop();
      if (!isComplete) reject(new SenderDisconnected());
    };
    req.on('error', disconnected);
    req.on('close', disconnected);
  });
}
