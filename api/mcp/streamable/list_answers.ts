import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { HttpContext } from '../../http/routes.ts';
import type { ToolList } from '../tools.ts';

/** Maximum compressed answers kept of a list: clients number their requests from 0 or 1. */
const KEPT_MAX = 20;

const etags = new WeakMap<Buffer, string>();
const compressed = new WeakMap<Buffer, Map<string, Promise<Buffer>>>();

/** Sets the headers of an answer that is a list: a client sees by the ETag whether it changed. */
export function setList(ctx: HttpContext, { json }: ToolList): void {
  let etag = etags.get(json);
  if (etag === undefined) {
    // Weak, because it stands for the compressed list too, and for every id of a request.
    etag = `W/"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`;
    etags.set(json, etag);
  }
  ctx.set('ETag', etag);
  ctx.vary('Accept-Encoding');
}

/** The answer in gzip: a list of all tools is 250 kB, and a sixth of that compressed. */
export function compressedList({ json }: ToolList, pieces: readonly Buffer[]): Promise<Buffer> {
  const known = compressed.get(json) ?? new Map<string, Promise<Buffer>>();
  compressed.set(json, known);
  const id = pieces[0]!.toString();
  let answer = known.get(id);
  if (!answer) {
    answer = promisify(gzip)(Buffer.concat(pieces));
    if (known.size >= KEPT_MAX) known.clear(); // Callers choose the ids.
    known.set(id, answer);
  }
  return answer;
}
