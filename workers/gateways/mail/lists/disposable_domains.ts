import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

import mailchecker from 'mailchecker';

import { FREQUENT_DOMAINS } from '../../../../shared/domains/email/did_you_mean.ts';
import { isHostName } from '../../../../shared/platform/egress/addresses.ts';
import type { Egress } from '../../../../shared/platform/egress/egress.ts';
import type { Log } from '../../../../shared/platform/log.ts';
import { DISPOSABLE_TOO } from './corrections.ts';
import type { Domains } from './domains.ts';

const SOURCE_MS = 30_000;
const SOURCE_BYTES_MAX = 16 * 2 ** 20;
const REFRESH_MS = 86_400_000;
const AFTER_FAULT_MS = 3_600_000;
/** Size of a new list, as a share of the one in use, below which it is not believed. */
const SHARE_MIN = 0.8;

interface DisposableDomains extends Domains {
  /** Reads the source now. Never rejects: a fault leaves the list as it is. */
  refresh(): Promise<void>;
}

/**
 * Disposable domains: the list of an npm package, until the source has another one. It is read at
 * the first use and once a day, while the list in use goes on to answer.
 */
export function openDisposableDomains(
  source: string | undefined,
  egress: Egress,
  log: Pick<Log, 'info' | 'warn'>,
): DisposableDomains {
  let domains: ReadonlySet<string> = mailchecker.blacklist();
  let dueAt = source === undefined ? Infinity : 0;

  async function refresh(): Promise<void> {
    if (source === undefined) return;
    dueAt = performance.now() + REFRESH_MS;
    const about = { source: nameOf(source) };
    try {
      const found = domainsIn(await textOf(source, egress));
      const fault = faultOf(found, domains);
      if (fault === undefined) {
        domains = found;
        log.info({ ...about, domains: found.size }, 'the list of disposable domains is new');
        return;
      }
      const counts = { domains: found.size, in_use: domains.size };
      log.warn({ ...about, ...counts, fault }, 'a list of disposable domains was refused');
    } catch (error) {
      log.warn({ ...about, err: error }, 'the list of disposable domains could not be read');
    }
    dueAt = performance.now() + AFTER_FAULT_MS;
  }

  return {
    has(domain) {
      if (performance.now() >= dueAt) void refresh();
      return domains.has(domain) || DISPOSABLE_TOO.has(domain);
    },
    refresh,
  };
}

/** The reason for not believing a list: most likely it is cut off, empty, or of another kind. */
function faultOf(found: ReadonlySet<string>, inUse: ReadonlySet<string>): string | undefined {
  const good = FREQUENT_DOMAINS.find((domain) => found.has(domain));
  if (good) return `it holds ${good}`;
  return found.size < inUse.size * SHARE_MIN ? 'it is much shorter than the one in use' : undefined;
}

/** A domain a line; `#` begins a comment. Lines that are no domain are left out. */
function domainsIn(text: string): Set<string> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase());
  return new Set(lines.filter((line) => line.includes('.') && isHostName(line)));
}

async function textOf(source: string, egress: Egress): Promise<string> {
  if (!isWeb(source)) {
    return readFile(source.startsWith('file:') ? fileURLToPath(source) : source, 'utf8');
  }
  const options = { timeoutMs: SOURCE_MS, bytesMax: SOURCE_BYTES_MAX, redirectsMax: 3 };
  const { status, body } = await egress.request(source, options);
  if (status !== 200) throw new Error(`it answers ${status}`);
  return body.toString('utf8');
}

const isWeb = (source: string) => /^https?:\/\//i.test(source);

/** Name of a source, without its query, which may hold a secret. */
function nameOf(source: string): string {
  if (!isWeb(source)) return basename(source);
  const { host, pathname } = new URL(source);
  return `${host}${pathname}`;
}
