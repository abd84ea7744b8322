import { SocksProxyAgent } from 'socks-proxy-agent';

import { hostPortOf, isAddress, isOpen } from '../../../shared/platform/egress/addresses.ts';
import type { PlatformSettings } from '../../../shared/platform/config/settings.ts';
import type { CheckResult } from '../../../shared/proxies/gateway.ts';
import type { ProxySettings } from '../../../shared/proxies/settings.ts';
import { openCountries, type CountryOf } from './countries.ts';
import { askJudge } from './judge.ts';

export type CheckSettings = Pick<ProxySettings, 'judges' | 'checkMs' | 'countryDatabase'> &
  Pick<PlatformSettings, 'egressAllow'>;

const NO_ANSWER: CheckResult = { answered: false, malformed: false };

/** Checks proxies all at once. Sockets: one a check, which ends with it. */
export function openChecks({
  judges,
  egressAllow,
  countryDatabase,
  checkMs: timeoutMs,
}: CheckSettings): (addresses: readonly string[]) => Promise<CheckResult[] | undefined> {
  // Eight megabytes that most processes never need.
  let countries: Promise<CountryOf> | undefined;

  return async (addresses) => {
    const judge = await findJudge();
    if (!judge) return undefined;
    countries ??= openCountries(countryDatabase);
    const countryOf = await countries;
    return Promise.all(addresses.map((address) => check(address, judge, countryOf)));
  };

  /** A judge that answers us directly. It is our own address, so the egress guard is not asked. */
  async function findJudge(): Promise<string | undefined> {
    const from = Math.floor(Math.random() * judges.length);
    for (const judge of [...judges.slice(from), ...judges.slice(0, from)]) {
      const answer = await askJudge(judge, { timeoutMs }).catch(() => undefined);
      if (answer?.address) return judge;
    }
    return undefined;
  }

  async function check(proxy: string, judge: string, countryOf: CountryOf): Promise<CheckResult> {
    const hostPort = hostPortOf(proxy);
    if (!hostPort || !isOpen(hostPort, egressAllow)) return NO_ANSWER;
    const agent = new SocksProxyAgent(`socks5h://${proxy}`, { timeout: timeoutMs });
    agent.proxy.host = hostPort.host; // Of a URL, IPv6 would come in brackets.
    agent.protocol = judge.slice(0, judge.indexOf(':') + 1); // Or it is read off a stack trace.
    const startedAt = performance.now();
    try {
      const answer = await askJudge(judge, { agent, timeoutMs });
      if (!answer) return NO_ANSWER;
      const { address, proof, nonce } = answer;
      if (!address || !proof) return { answered: false, malformed: true };
      const latencyMs = Math.ceil(performance.now() - startedAt);
      const country = isAddress(address) ? countryOf(address) : undefined;
      return { answered: true, latencyMs, nonce, address, proof, country };
    } catch {
      return NO_ANSWER;
    }
  }
}
