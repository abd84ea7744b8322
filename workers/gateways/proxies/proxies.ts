import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SocksProxyAgent } from 'socks-proxy-agent';

import { hostPortOf, isAddress, isOpen } from '../../../shared/platform/addresses.ts';
import type { PlatformSettings } from '../../../shared/platform/config/settings.ts';
import type { Egress } from '../../../shared/platform/egress.ts';
import type { Finding, Listed, ProxyGateway } from '../../../shared/proxies/gateway.ts';
import { BadSource, readListing } from '../../../shared/proxies/sources/listing.ts';
import type { ProxySettings } from '../../../shared/proxies/settings.ts';
import { openCountries, type CountryOf } from './countries.ts';

const SOURCE_MS = 25_000;
const SOURCE_BYTES_MAX = 64 * 2 ** 20;
const ANSWER_CHARS_MAX = 2_000;

type Settings = Pick<ProxySettings, 'sources' | 'judges' | 'checkMs' | 'countryDatabase'> &
  Pick<PlatformSettings, 'egressAllow'>;

/** Sources of proxies, and checks through them. Sockets: one a check, which ends with it. */
export function openProxies(settings: Settings, egress: Egress): ProxyGateway {
  // Eight megabytes that most processes never need.
  let countries: Promise<CountryOf> | undefined;

  async function list(): Promise<Listed[]> {
    return Promise.all(
      settings.sources.map(async (place): Promise<Listed> => {
        const source = nameOf(place);
        try {
          return { source, listing: await readListing(await textOf(place), settings.egressAllow) };
        } catch (error) {
          return { source, fault: reasonOf(error) };
        }
      }),
    );
  }

  async function textOf(place: string): Promise<string> {
    if (!isWeb(place)) {
      const file = place.startsWith('file:') ? fileURLToPath(place) : place;
      const { size } = await stat(file);
      if (size > SOURCE_BYTES_MAX) throw new BadSource('is too long');
      return readFile(file, 'utf8');
    }
    const asking = { timeoutMs: SOURCE_MS, bytesMax: SOURCE_BYTES_MAX, redirectsMax: 3 };
    const { status, body } = await egress.request(place, asking);
    if (status !== 200) throw new BadSource(`answers ${status}`);
    return body.toString('utf8');
  }

  async function check(places: readonly string[]): Promise<Finding[] | undefined> {
    const judge = await judgeThatAnswers();
    if (!judge) return undefined;
    countries ??= openCountries(settings.countryDatabase);
    const countryOf = await countries;
    return Promise.all(places.map((place) => checked(place, judge, countryOf)));
  }

  /** Our own address, so it is no matter for the guard. */
  async function judgeThatAnswers(): Promise<string | undefined> {
    const { judges } = settings;
    const from = Math.floor(Math.random() * judges.length);
    for (const judge of [...judges.slice(from), ...judges.slice(0, from)]) {
      const words = await ask(judge).catch(() => undefined);
      if (words?.address) return judge;
    }
    return undefined;
  }

  async function checked(place: string, judge: string, countryOf: CountryOf): Promise<Finding> {
    const there = hostPortOf(place);
    if (!there || !isOpen(there, settings.egressAllow)) return SILENCE;
    const agent = new SocksProxyAgent(`socks5h://${place}`, { timeout: settings.checkMs });
    agent.proxy.host = there.host; // Of a URL, IPv6 would come in brackets.
    agent.protocol = judge.slice(0, judge.indexOf(':') + 1); // Or it is read off a stack trace.
    const startedAt = performance.now();
    try {
      const words = await ask(judge, agent);
      if (!words) return SILENCE;
      const { address, proof, nonce } = words;
      if (!address || !proof) return { answered: false, garbled: true };
      const latencyMs = Math.ceil(performance.now() - startedAt);
      const country = isAddress(address) ? countryOf(address) : undefined;
      return { answered: true, latencyMs, nonce, address, proof, country };
    } catch {
      return SILENCE;
    }
  }

  /** What stands in the place of the judge's answer; undefined: there is none. */
  async function ask(judge: string, agent?: SocksProxyAgent): Promise<Words | undefined> {
    const nonce = randomUUID();
    const text = await textAt(`${judge}?nonce=${nonce}`, agent, settings.checkMs);
    return text === undefined ? undefined : { nonce, ...wordsOf(text) };
  }

  return { list, check };
}

interface Words {
  readonly nonce: string;
  readonly address?: string;
  readonly proof?: string;
}

const SILENCE: Finding = { answered: false, garbled: false };

/**
 * The body that is answered with 200; undefined: another status. By hand, because signals and
 * asynchronous loops would cost as much as the request.
 */
function textAt(url: string, agent: SocksProxyAgent | undefined, timeoutMs: number) {
  return new Promise<string | undefined>((resolve, reject) => {
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    const sent = request(url, { agent: agent ?? false });
    const timeUp = setTimeout(() => sent.destroy(new Error('it took too long')), timeoutMs);
    sent.on('close', () => clearTimeout(timeUp));
    sent.on('error', reject);
    sent.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('error', reject);
      answer.on('data', (piece: string) => {
        text += piece;
        if (text.length > ANSWER_CHARS_MAX) sent.destroy(new Error('it says too much'));
      });
      answer.on('end', () => resolve(answer.statusCode === 200 ? text : undefined));
    });
    sent.end();
  });
}

/** The judge's fields, if it is they that came. */
function wordsOf(text: string): { address?: string; proof?: string } {
  try {
    const { address, proof } = JSON.parse(text);
    return typeof address === 'string' && typeof proof === 'string' ? { address, proof } : {};
  } catch {
    return {};
  }
}

const isWeb = (place: string) => /^https?:\/\//i.test(place);

/** What a source is called. Its query may hold a secret. */
function nameOf(place: string): string {
  if (!isWeb(place)) return basename(place);
  const { host, pathname } = new URL(place);
  return `${host}${pathname}`;
}

/** For the operator. Faults of ours stay in the log. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return error instanceof BadSource ? message : (code ?? message).slice(0, 200);
}
