import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DataSource } from 'typeorm';

import { startZone } from '../email/zone.ts';
import { EXITS, startPeer } from '../proxies/peers.ts';
import { startReceiver, type Receiver } from '../webhooks/receiver.ts';

/** What a marketplace of a drill reaches outside: real peers on loopback, which nothing breaks. */
export interface Outside {
  /** Settings of its processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Of a web server that answers with the path that it was asked for. */
  readonly targetPort: number;
  /** Puts its proxies on sale: those in US work, those in DE can only be listed. */
  stockProxies(database: DataSource): Promise<void>;
  /** A server to which events can be sent. */
  openReceiver(): Promise<Receiver>;
  close(): Promise<void>;
}

/** What is found out about the addresses of each domain. */
export const FINDINGS: Readonly<Record<string, string>> = {
  'mail.example': 'domain_accepts_mail',
  'plain.example': 'no_mx',
  'null.example': 'null_mx',
  'none.example': 'no_such_domain',
};
const NAMES = {
  'mail.example': { MX: ['mx.mail.example'] },
  'mx.mail.example': { A: ['127.0.0.1'] },
  'plain.example': { A: ['127.0.0.1'] },
  'null.example': { MX: [''] },
};
/** Proxies that work, and others. */
export const WORKING = 3;
const LISTED = 20;

export async function openOutside(): Promise<Outside> {
  const target = createServer((req, res) => res.end(req.url));
  await new Promise<void>((resolve) => void target.listen(0, '127.0.0.1', () => resolve()));
  const { port: targetPort } = target.address() as AddressInfo;
  const [zone, ...peers] = await Promise.all([
    startZone(NAMES),
    ...Array.from({ length: WORKING }, () => startPeer('working', EXITS.US.local)),
  ]);
  const receivers: Receiver[] = [];
  const working = peers.map(({ address }) => address);
  const listed = Array.from({ length: LISTED }, (_, n) => `10.51.0.${n}:1080`);

  return {
    env: {
      EGRESS_ALLOW: '127.0.0.0/8',
      DNS_SERVERS: zone.address,
      SOCKS_TARGET_PORTS: String(targetPort),
    },
    targetPort,
    async stockProxies(database) {
      await database.query(
        `insert into proxy (ip_port, source, state, recent, checks, country_code, exit_address,
                            latency_ms, checked_at, passed_at, next_check_at)
         select address, 'drill', 'hot', 1, 1, case when n <= $2 then 'US' else 'DE' end,
                '198.51.100.7', 100, now(), now(), 'infinity'
           from unnest($1::text[]) with ordinality as proxies(address, n)
         on conflict (ip_port) do update
           set state = 'hot', recent = 1, checks = 1, fails = 0, latency_ms = 100,
               checked_at = now(), passed_at = now(), next_check_at = 'infinity'`,
        [[...working, ...listed], working.length],
      );
    },
    async openReceiver() {
      const receiver = await startReceiver();
      receivers.push(receiver);
      return receiver;
    },
    async close() {
      await Promise.all(receivers.map((receiver) => receiver.close()));
      target.closeAllConnections();
      target.close();
      await Promise.all([zone.close(), ...peers.map((peer) => peer.close())]);
    },
  };
}
