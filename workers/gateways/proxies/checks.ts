import { hostPortOf, isAddress, isOpen } from '../../../shared/platform/egress/addresses.ts';
import type { PlatformSettings } from '../../../shared/platform/config/settings.ts';
import { anonymityOf } from '../../../shared/domains/proxies/checks/forwarding.ts';
import type { CheckResult } from '../../../shared/domains/proxies/gateway.ts';
import type { ProxySettings } from '../../../shared/domains/proxies/settings.ts';
import { askJudge, type JudgeAnswer } from './judge.ts';
import { openLocations, type Location, type LocationDatabases } from './locations.ts';
import { openPages } from './pages.ts';
import { targetOf, type Target } from './text_through.ts';
import { openTlsPages } from './tls_pages.ts';

export type CheckSettings = Pick<ProxySettings, 'judges' | 'pages' | 'checkMs'> &
  Partial<Pick<ProxySettings, 'tlsPages' | 'tlsAuthority'>> &
  LocationDatabases &
  Pick<PlatformSettings, 'egressAllow'>;

/** State shared by all checks of a batch. */
interface BatchContext {
  readonly judge: Target;
  /** The judge's answer without a proxy. */
  readonly direct: JudgeAnswer;
  readonly page: Awaited<ReturnType<ReturnType<typeof openPages>['current']>>;
  /** A page by https; undefined: none answers us. */
  readonly tlsPage: Target | undefined;
  readonly locationOf: (address: string) => Location;
}

const NOWHERE: Location = { country: undefined, city: undefined, asn: undefined };
const NO_ANSWER: CheckResult = { answered: false, malformed: false };

/** Checks proxies all at once. Each check has one socket, which ends with it. */
export function openChecks({
  judges,
  pages: pageUrls,
  tlsPages: tlsUrls = [],
  tlsAuthority: authority,
  egressAllow,
  checkMs: timeoutMs,
  ...databases
}: CheckSettings): (addresses: readonly string[]) => Promise<CheckResult[] | undefined> {
  // It takes eight megabytes, which most processes never need.
  let locations: Promise<(address: string) => Location> | undefined;
  const pages = openPages(pageUrls, timeoutMs);
  const tlsPages = openTlsPages(tlsUrls, { timeoutMs, authority });
  const targets = judges.map(targetOf);

  return async (addresses) => {
    const [judge, page, tlsPage] = await Promise.all([
      findJudge(),
      pages.current(),
      tlsPages.current(),
    ]);
    if (!judge) return undefined;
    locations ??= openLocations(databases);
    const beside = { ...judge, page, tlsPage, locationOf: await locations };
    return Promise.all(addresses.map((address) => check(address, beside)));
  };

  /** Finds a judge that answers us directly. It is our own address, so no egress guard is asked. */
  async function findJudge(): Promise<Pick<BatchContext, 'judge' | 'direct'> | undefined> {
    const from = Math.floor(Math.random() * targets.length);
    for (const judge of [...targets.slice(from), ...targets.slice(0, from)]) {
      const answer = await askJudge(judge, { timeoutMs }).catch(() => undefined);
      if (answer?.address) return { judge, direct: answer };
    }
    return undefined;
  }

  async function check(
    address: string,
    { judge, direct, page, tlsPage, locationOf }: BatchContext,
  ): Promise<CheckResult> {
    const proxy = hostPortOf(address);
    if (!proxy || !isOpen(proxy, egressAllow)) return NO_ANSWER;
    const startedAt = performance.now();
    try {
      const answer = await askJudge(judge, { proxy, timeoutMs });
      if (!answer) return NO_ANSWER;
      const { address: exit, proof, nonce, seen = '' } = answer;
      if (!exit || !proof) return { answered: false, malformed: true };
      const latencyMs = Math.ceil(performance.now() - startedAt);
      const location = isAddress(exit) ? locationOf(exit) : NOWHERE;
      const anonymity = anonymityOf(seen, { seen: direct.seen ?? '', address: direct.address! });
      const pageResult = page ? await pages.ask(page, proxy) : 'unknown';
      // One after the other: a check has one socket, and a proxy that failed needs no more.
      const isDone = pageResult === 'none' || pageResult === 'different' || !tlsPage;
      const https = isDone ? undefined : await tlsPages.works(tlsPage, proxy);
      return {
        answered: true,
        latencyMs,
        nonce,
        address: exit,
        proof,
        seen,
        anonymity,
        ...location,
        page: pageResult,
        https,
      };
    } catch {
      return NO_ANSWER;
    }
  }
}
