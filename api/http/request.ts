import type { IncomingMessage } from 'node:http';

import type { Access } from '../../shared/kernel/operation.ts';
import { overloaded, Refusal } from '../../shared/kernel/refusal.ts';
import { isAbsurdlyDeep } from './json_depth.ts';

const BODY_BYTES_MAX = 256 * 1024;
/**
 * Most senders read no answer before they have sent all, so a body that is too large is read too.
 */
const DRAIN_BYTES_MAX = 16 * 1024 * 1024;
const DRAIN_PAUSE_MS = 2;
/** Of all bodies that are not complete: many slow senders use no more memory than this. */
const INCOMPLETE_BYTES_MAX = 64 * 1024 * 1024;
let incompleteBytes = 0;

/** The sender disconnected in the middle of its request, so there is nobody to answer. */
export class SenderDisconnected extends Error {}

/** The token of the Authorization header; undefined: there is none, or it cannot be read. */
export function tokenOf({ headers }: IncomingMessage, access: Access): string | undefined {
  const [, scheme = '', value = ''] = /^(\w+) +(\S+) *$/.exec(headers.authorization ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  // Operators log in with a browser, which asks for a name and a password.
  if (scheme.toLowerCase() === 'basic' && access === 'operator') {
    return /^[^:]*:(.+)$/.exec(Buffer.from(value, 'base64').toString())?.[1];
  }
  return undefined;
}

/** The body, which must be a JSON object; no body at all is an empty one. */
export async function readObject(req: IncomingMessage): Promise<object> {
  const value = await readJson(req);
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
  throw new Refusal('validation_error', 'The body must be a JSON object.');
}

/** The body, which must be JSON; no body at all is an empty object. */
export async function readJson(req: IncomingMessage): Promise<unknown> {
  const encoding = req.headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw new Refusal('validation_error', 'The body is compressed. Send it as it is.');
  }
  const bytes = await readBytes(req);
  if (bytes.length === 0) return {};
  try {
    const text = utf8.decode(bytes);
    if (!isAbsurdlyDeep(text)) return JSON.parse(text);
  } catch {
    throw new Refusal('validation_error', 'The body is not JSON in UTF-8.');
  }
  throw new Refusal('validation_error', 'The body is nested too deep.');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readBytes(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let held = 0;
    let isComplete = false;
    const tooLarge = () =>
      reject(
        new Refusal('payload_too_large', 'The body is too large.', { bytes_max: BODY_BYTES_MAX }),
      );
    const hold = (chunk: Buffer) => {
      chunks.push(chunk);
      held += chunk.length;
      incompleteBytes += chunk.length;
      if (incompleteBytes <= INCOMPLETE_BYTES_MAX) return;
      size = Infinity; // The rest is not kept.
      drop();
      reject(overloaded());
    };
    // What is read only to be dropped is read slowly, so that other requests come first.
    const slowDown = () => {
      req.pause();
      setTimeout(() => req.resume(), DRAIN_PAUSE_MS);
    };
    const drop = () => {
      incompleteBytes -= held;
      held = 0;
      chunks.length = 0;
    };
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > BODY_BYTES_MAX) {
        drop();
        slowDown();
      } else hold(chunk);
      if (size > DRAIN_BYTES_MAX) tooLarge();
    });
    req.on('end', () => {
      isComplete = true;
      const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      drop();
      if (size > BODY_BYTES_MAX) tooLarge();
      else resolve(body);
    });
    const disconnected = () => {
      drop();
      if (!isComplete) reject(new SenderDisconnected());
    };
    req.on('error', disconnected);
    req.on('close', disconnected);
  });
}
