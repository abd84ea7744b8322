import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { PlatformSettings } from '../../../shared/platform/config/settings.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import type { SourceResult } from '../../../shared/domains/proxies/gateway.ts';
import { BadSource } from '../../../shared/domains/proxies/sources/items.ts';
import {
  ENTRIES_MAX,
  openListing,
  type Listing,
  type ListingReader,
} from '../../../shared/domains/proxies/sources/listing.ts';
import type { ProxySettings } from '../../../shared/domains/proxies/settings.ts';

const SOURCE_MS = 25_000;
const SOURCE_BYTES_MAX = 64 * 2 ** 20;
/** Bytes read at a time: the worst JSON of this size takes a few milliseconds. */
const PIECE_BYTES = 4_096;
/** Maximum entries of each source, however many sources there are. */
const ENTRIES_EACH = 50_000;

export type SourceSettings = Pick<ProxySettings, 'sources'> & Pick<PlatformSettings, 'egressAllow'>;

/** Reads all sources of proxies, side by side: files, and URLs through the egress guard. */
export function openSources(
  { sources, egressAllow }: SourceSettings,
  egress: Egress,
): () => Promise<SourceResult[]> {
  const entriesMax = Math.max(ENTRIES_EACH, Math.floor(ENTRIES_MAX / sources.length));
  return () => Promise.all(sources.map(resultOf));

  async function resultOf(location: string): Promise<SourceResult> {
    const source = nameOf(location);
    try {
      return { source, listing: await listingOf(location) };
    } catch (error) {
      return { source, fault: reasonOf(error) };
    }
  }

  /** Reads a source, and keeps only its entries. */
  async function listingOf(location: string): Promise<Listing> {
    const listing = openListing({ exceptions: egressAllow, entriesMax });
    if (!isWeb(location)) {
      const file = location.startsWith('file:') ? fileURLToPath(location) : location;
      const { size } = await stat(file);
      if (size > SOURCE_BYTES_MAX) throw new BadSource('is too long');
      for await (const chunk of createReadStream(file)) await read(listing, chunk as Buffer);
      return listing.end();
    }
    const { status } = await egress.request(location, {
      timeoutMs: SOURCE_MS,
      bytesMax: SOURCE_BYTES_MAX,
      redirectsMax: 3,
      onChunk: (chunk, answered) => (answered === 200 ? read(listing, chunk) : undefined),
    });
    if (status !== 200) throw new BadSource(`answers ${status}`);
    return listing.end();
  }
}

/** Reads one piece in each turn of the event loop, over all sources, so that none blocks it. */
async function read(listing: ListingReader, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
    await nextTurn();
    listing.write(chunk.subarray(at, at + PIECE_BYTES));
  }
}

let turns = Promise.resolve();
const nextTurn = () => (turns = turns.then(() => new Promise<void>((go) => void setImmediate(go))));

const isWeb = (location: string) => /^https?:\/\//i.test(location);

/** Name of a source, without its query, which may hold a secret. */
function nameOf(location: string): string {
  if (!isWeb(location)) return basename(location);
  const { host, pathname } = new URL(location);
  return `${host}${pathname}`;
}

/** The reason for the operator. Our own faults stay in the log. */
function reasonOf(error: unknown): string {
  const { message, code } = error as Error & { code?: unknown };
  if (error instanceof BadSource) return message;
  // The code of a time-out is a number; its message says more.
  return (typeof code === 'string' ? code : message).slice(0, 200);
}
