import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { readConfig } from '../../shared/composition/config.ts';
import { openEgress } from '../../shared/platform/egress/egress.ts';
import type { Launch, LaunchEntry } from '../launcher/launch_entry.ts';
import { samePort, storedPort } from '../ports.ts';
import { PAGE_PATH } from '../../shared/domains/proxies/checks/page.ts';
import { openDemoProxy } from './demo_proxy.ts';

/** Countries in the demo's list. In fact all its proxies lead out of this machine. */
const COUNTRIES = ['US', 'DE', 'JP'];

/**
 * A few SOCKS5 proxies on loopback and a list of them, so that a new marketplace has proxies to
 * sell. They lead to public addresses and to the API that checks them, and nowhere else here.
 */
export const demoProxies: LaunchEntry = {
  name: 'Demo proxies',
  when: ({ demo, env }) => demo && !env.PROXY_SOURCES && env.DEMO_PROXIES !== 'false',
  async env({ settings, env }) {
    const addresses = await addressesIn(settings.dataDir);
    const file = join(settings.dataDir, 'demo_proxies.csv');
    const lines = addresses.map((address, n) => `${address},${COUNTRIES[n]}\n`);
    writeFileSync(file, `proxy,country\n${lines.join('')}`);
    return {
      DEMO_PROXIES: 'true',
      PROXY_SOURCES: pathToFileURL(file).href,
      PROXY_JUDGES: env.PROXY_JUDGES || `${settings.url}/api/v1/proxy/judge`,
      // The address to which these proxies lead, not its name.
      PROXY_PAGES: env.PROXY_PAGES || settings.url + PAGE_PATH,
      EGRESS_ALLOW: [env.EGRESS_ALLOW || [], addresses].flat().join(','),
    };
  },
  async start({ settings }) {
    const { hostname, port } = new URL(settings.url);
    const api = { host: hostname, port: Number(port) };
    const egress = openEgress({ egressAllow: [api], dnsServers: [] });
    for (const name of NAMES) await openDemoProxy(storedPort(settings.dataDir, name), egress);
    return [];
  },
  onReady: announce,
};

const NAMES = COUNTRIES.map((country) => `demo_proxy_${country}`);

async function addressesIn(dataDir: string): Promise<string[]> {
  const addresses: string[] = [];
  for (const name of NAMES) addresses.push(`127.0.0.1:${await samePort(dataDir, name)}`);
  return addresses;
}

/** Reads the list once more: at first there was no API to check the proxies with. */
async function announce({ settings, env }: Launch): Promise<void> {
  const [operator] = readConfig(env).agents.operators;
  const headers = { authorization: `Bearer ${operator!.token}` };
  const refresh = fetch(`${settings.url}/api/v1/admin/proxy/refresh`, { method: 'POST', headers });
  await refresh.catch(() => undefined); // Sources are read again in half an hour.
  console.log(
    'Demo: three SOCKS5 proxies on this machine are on sale. PROXY_SOURCES lists others.',
  );
}
