import type { Schemas } from './operations.ts';

/** A message that arrived at a webhook's URL. */
export interface Message {
  /** Body exactly as received: not parsed and serialised again. */
  readonly body: string;
  /** Headers in a server's format: of `node:http`, of a `Request`, or any record. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The message is not from the marketplace, was changed, or is too old: answer it with 400. */
export class NotVerified extends Error {
  override readonly name = 'NotVerified';
}

/** Maximum difference of its time from ours, in seconds. */
const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';

/**
 * Returns the event of a message that is signed with this secret (`whsec_…`), or with one of
 * several; otherwise throws `NotVerified`. It follows Standard Webhooks
 * (https://www.standardwebhooks.com). An event may come twice, with the same `id`.
 */
export async function verifyEvent(
  message: Message,
  secret: string | readonly string[],
): Promise<Schemas['Event']> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(message.headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw new NotVerified('a header is missing');
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!(age <= TOLERANCE_SECONDS)) throw new NotVerified('its time is too far from ours');
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${message.body}`);
  for (const one of [secret].flat()) {
    const key = await keyOf(one);
    for (const signature of signatures.split(' ')) {
      const [version, text = ''] = signature.split(',');
      const bytes = version === 'v1' && bytesOf(text);
      // Compares in constant time.
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) {
        return JSON.parse(message.body) as Schemas['Event'];
      }
    }
  }
  throw new NotVerified('no signature is by this secret');
}

function headerOf(headers: Message['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'object' ? found[0] : found;
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(PREFIX) && bytesOf(secret.slice(PREFIX.length));
  if (!bytes) throw new TypeError(`a secret of a webhook begins with ${PREFIX}`);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

/** Decodes base64; undefined: the text is not base64. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
