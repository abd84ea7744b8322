import { createServer } from '@pondwader/socks5-server';
import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer as createTcp } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { hostPortOf, spelled } from '../../shared/platform/addresses.ts';
import { openEgress, type Egress } from '../../shared/platform/egress.ts';
import type { Environment } from '../../shared/platform/config/environment.ts';
import { samePort } from '../ports.ts';
import type { LaunchSettings } from '../launcher/launch_settings.ts';

/** The countries that the demo's list gives its proxies. They all lead out of this machine. */
const COUNTRIES = ['US', 'DE', 'JP'];
const CONNECT_MS = 10_000;

/**
 * A few SOCKS5 proxies on loopback and a list of them, so that a new marketplace has proxies to
 * sell. They lead to public addresses and to the API that checks them, and nowhere else here.
 * Answers the settings of the processes below.
 */
export async function startDemoProxies(settings: LaunchSettings): Promise<Environment> {
  const { dataDir, url, env } = settings;
  const { hostname, port } = new URL(url);
  const api = { host: hostname, port: Number(port) };
  const egress = openEgress({ egressAllow: [api], dnsServers: [] });
  const places: string[] = [];
  for (const country of COUNTRIES) {
    const place = { host: '127.0.0.1', port: await samePort(dataDir, `demo_proxy_${country}`) };
    await listen(place.port, egress);
    places.push(spelled(place));
  }
  const file = join(dataDir, 'demo_proxies.csv');
  const lines = places.map((place, n) => `${place},${COUNTRIES[n]}\n`);
  writeFileSync(file, `proxy,country\n${lines.join('')}`);
  return {
    DEMO_PROXIES: 'true',
    PROXY_SOURCES: pathToFileURL(file).href,
    PROXY_JUDGES: env.PROXY_JUDGES || `${url}/api/v1/proxy/judge`,
    EGRESS_ALLOW: [env.EGRESS_ALLOW || [], places].flat().join(','),
  };
}

async function listen(port: number, egress: Egress): Promise<void> {
  const socks = createServer();
  socks.setConnectionHandler(({ socket, destAddress, destPort }, sendStatus) => {
    socket.on('error', () => undefined);
    const place = hostPortOf(spelled({ host: destAddress, port: destPort }));
    if (!place) return sendStatus('ADDRESS_TYPE_NOT_SUPPORTED');
    egress.connect(place, { timeoutMs: CONNECT_MS }).then(
      (out) => {
        out.on('error', () => socket.destroy());
        socket.on('close', () => out.destroy());
        sendStatus('REQUEST_GRANTED');
        socket.pipe(out).pipe(socket);
      },
      () => sendStatus('CONNECTION_NOT_ALLOWED'),
    );
  });
  // Of its own server nobody hears when it cannot listen.
  const server = createTcp({ noDelay: true }, (socket) => void socks._handleConnection(socket));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
