import type { IncomingMessage } from 'node:http';

import { overloaded, Refusal } from '../../shared/kernel/refusal.ts';
import { excessOf } from './json_bounds.ts';
import { turnToRead } from './large_bodies.ts';
import type { State } from './routes.ts';
import { openUnfinishedBodies } from './unfinished_bodies.ts';

/** Of callers with a key: how large a body may be, and how much is held of unfinished ones. */
const OF_KNOWN = { bytesMax: 256 * 1024, bodies: openUnfinishedBodies(60 * 1024 * 1024) };
/** Of all others. Whatever they hold, they take nothing from callers with a key. */
const OF_UNKNOWN = { bytesMax: 8 * 1024, bodies: openUnfinishedBodies(4 * 1024 * 1024) };
/**
 * Most senders read no answer before they have sent all, so a body that is too large is read too.
 */
const DRAIN_BYTES_MAX = 16 * 1024 * 1024;
const DRAIN_PAUSE_MS = 2;

/** A request, with what is known of its sender by now: authenticate before you read. */
export interface SentRequest {
  readonly req: IncomingMessage;
  readonly state: Pick<State, 'tree' | 'operator' | 'address'>;
}

/** The sender disconnected in the middle of its request, so there is nobody to answer. */
export class SenderDisconnected extends Error {}

/** The body, which must be a JSON object; no body at all is an empty one. */
export async function readObject(sent: SentRequest): Promise<object> {
  const value = await readJson(sent);
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
  throw new Refusal('validation_error', 'The body must be a JSON object.');
}

/** The body, which must be JSON; no body at all is an empty object. */
export async function readJson(sent: SentRequest): Promise<unknown> {
  const encoding = sent.req.headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw new Refusal('validation_error', 'The body is compressed. Send it as it is.');
  }
  const bytes = await readBytes(sent);
  if (bytes.length === 0) return {};
  await turnToRead(holderOf(sent.state), bytes.length);
  let excess: string | undefined;
  try {
    const text = utf8.decode(bytes);
    excess = excessOf(text);
    if (!excess) return JSON.parse(text);
  } catch {
    throw new Refusal('validation_error', 'The body is not JSON in UTF-8.');
  }
  throw new Refusal('validation_error', `The body ${excess}.`);
}

/** Whoever has a key, or is an operator. */
const knownOf = ({ tree, operator }: SentRequest['state']) => tree || operator;
const holderOf = (state: SentRequest['state']) => knownOf(state) || state.address;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The body as it was sent. A dropped body is answered at once, and the rest of it is not kept.
 */
export function readBytes(
  { req, state }: SentRequest,
  limits = knownOf(state) ? OF_KNOWN : OF_UNKNOWN,
): Promise<Buffer> {
  const { bytesMax, bodies } = limits;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isComplete = false;
    const tooLarge = () =>
      reject(
        new Refusal(
          'payload_too_large',
          limits === OF_UNKNOWN
            ? 'The body is too large for a call without a key.'
            : 'The body is too large.',
          { bytes_max: bytesMax },
        ),
      );
    const body = bodies.begin(holderOf(state), () => {
      size = Infinity;
      chunks.length = 0;
      reject(overloaded());
    });
    // What is read only to be dropped is read slowly, so that other requests come first.
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
      if (size > DRAIN_BYTES_MAX) tooLarge();
    });
    req.on('end', () => {
      isComplete = true;
      const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      drop();
      if (size > bytesMax) tooLarge();
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
