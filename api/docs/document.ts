import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { HttpContext, Route } from '../http/routes.ts';

interface Document {
  readonly type: string;
  /** Called once, at the first request. */
  readonly read: () => Promise<Buffer | string> | Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * `GET <path>`: a document that does not change while the process runs. Sent compressed to those
 * that accept it, and not at all to those that have it.
 */
export function documentRoute(path: string, { type, read, headers = {} }: Document): Route {
  let loaded: Promise<DocumentVersions> | undefined;
  async function handle(ctx: HttpContext): Promise<void> {
    const { plain, packed, etag } = await (loaded ??= load(read, type));
    // `no-cache` has clients check each time: that costs a request, but sends no document.
    ctx.set({ 'Content-Type': type, 'Cache-Control': 'no-cache', ...headers, ETag: etag });
    ctx.vary(['Accept-Encoding', 'Origin']);
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    const isPacked = packed && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isPacked) ctx.set('Content-Encoding', 'gzip');
    ctx.body = isPacked ? packed : plain;
  }
  return { route: `GET ${path}`, handle };
}

interface DocumentVersions {
  readonly plain: Buffer;
  readonly packed: Buffer | undefined;
  readonly etag: string;
}

async function load(read: Document['read'], type: string): Promise<DocumentVersions> {
  const plain = Buffer.from(await read());
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return {
    plain,
    packed: type.startsWith('image/png') ? undefined : await promisify(gzip)(plain),
    // Weak, because it stands for the compressed document too.
    etag: `W/"${hash}"`,
  };
}

export const JSON_TYPE = 'application/json; charset=utf-8';
