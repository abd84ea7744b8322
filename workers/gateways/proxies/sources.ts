import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { PlatformSettings } from '../../../shared/platform/config/settings.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import type { SourceResult } from '../../../shared/proxies/gateway.ts';
import { BadSource } from '../../../shared/proxies/sources/formats.ts';
import { readListing } from '../../../shared/proxies/sources/listing.ts';
import type { ProxySettings } from '../../../shared/proxies/settings.ts';

const SOURCE_MS = 25_000;
const SOURCE_BYTES_MAX = 64 * 2 ** 20;

export type SourceSettings = Pick<ProxySettings, 'sources'> & Pick<PlatformSettings, 'egressAllow'>;

/** Reads all sources of proxies, side by side: files, and URLs through the egress guard. */
export function openSources(
  { sources, egressAllow }: SourceSettings,
  egress: Egress,
): () => Promise<SourceResult[]> {
  return () => Promise.all(sources.map(resultOf));

  async function resultOf(location: string): Promise<SourceResult> {
    const source = nameOf(location);
    try {
      return { source, listing: await readListing(await textOf(location), egressAllow) };
    } catch (error) {
      return { source, fault: reasonOf(error) };
    }
  }

  async function textOf(location: string): Promise<string> {
    if (!isWeb(location)) {
      const file = location.startsWith('file:') ? fileURLToPath(location) : location;
      const { size } = await stat(file);
      if (size > SOURCE_BYTES_MAX) throw new BadSource('is too long');
      return readFile(file, 'utf8');
    }
    const options = { timeoutMs: SOURCE_MS, bytesMax: SOURCE_BYTES_MAX, redirectsMax: 3 };
    const { status, body } = await egress.request(location, options);
    if (status !== 200) throw new BadSource(`answers ${status}`);
    return body.toString('utf8');
  }
}

const isWeb = (location: string) => /^https?:\/\//i.test(location);

/** What a source is called. Its query may hold a secret. */
function nameOf(location: string): string {
  if (!isWeb(location)) return basename(location);
  const { host, pathname } = new URL(location);
  return `${host}${pathname}`;
}

/** For the operator. Faults of ours stay in the log. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return error instanceof BadSource ? message : (code ?? message).slice(0, 200);
}
