import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DataSource } from 'typeorm';

import { openStripeDouble, type StripeDouble } from '../../local/sandbox/stripe/double.ts';
import { startZone } from '../email/zone.ts';
import { EXITS, startPeer } from '../proxies/peers.ts';
import { RIG_KEY, RIG_SECRET } from '../sandbox/stripe_rig.ts';
import { startReceiver, type Receiver } from '../webhooks/receiver.ts';
import { openDrillChain, type DrillChain } from './clients/rails/chain.ts';
import { openDrillNetworks, type DrillNetworks } from './clients/rails/networks.ts';

/** What a marketplace of a drill reaches outside: real peers on loopback, which nothing breaks. */
export interface Outside {
  /** Settings of its processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Of a web server that answers with the path that it was asked for. */
  readonly targetPort: number;
  /** Cards are charged here. It sends its events to one of the APIs. */
  readonly stripe: StripeDouble;
  /** Withdrawals and payments by x402 are paid on it. Undefined: npm has no node for it here. */
  readonly chain: DrillChain | undefined;
  /** Agents pay in by these, and tokens are issued on them. */
  readonly networks: DrillNetworks;
  /** Puts its proxies on sale: those in US work, one in FR dies, those in DE are only listed. */
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

/** Until an API that was broken answers again. */
const EVENT_RETRY_MS = [100, 300, ...Array.from({ length: 30 }, () => 1_000)];

/** `apis` are the base URLs of the marketplace's. */
export async function openOutside(apis: readonly string[]): Promise<Outside> {
  const target = createServer((req, res) => res.end(req.url));
  await new Promise<void>((resolve) => void target.listen(0, '127.0.0.1', () => resolve()));
  const { port: targetPort } = target.address() as AddressInfo;
  let sent = 0;
  const endpoint = {
    secret: RIG_SECRET,
    // As one that has a load balancer before them.
    get url() {
      sent += 1;
      return `${apis[sent % apis.length]}/webhooks/stripe`;
    },
  };
  const dying = await startPeer('resetting');
  const [stripe, chain, networks, zone, ...peers] = await Promise.all([
    openStripeDouble({ key: RIG_KEY, endpoints: [endpoint], retryMs: EVENT_RETRY_MS }),
    openDrillChain(),
    openDrillNetworks(),
    startZone(NAMES),
    ...Array.from({ length: WORKING }, () => startPeer('working', EXITS.US.local)),
  ]);
  const receivers: Receiver[] = [];
  const working = peers.map(({ address }) => address);
  const sold = [...working, dying.address];
  const listed = Array.from({ length: LISTED }, (_, n) => `10.51.0.${n}:1080`);

  return {
    env: {
      EGRESS_ALLOW: '127.0.0.0/8',
      DNS_SERVERS: zone.address,
      SOCKS_TARGET_PORTS: String(targetPort),
      STRIPE_API_BASE: stripe.url,
      STRIPE_SECRET_KEY: RIG_KEY,
      STRIPE_WEBHOOK_SECRETS: RIG_SECRET,
      ...chain?.env,
      ...networks.env,
    },
    targetPort,
    stripe,
    chain,
    networks,
    async stockProxies(database) {
      await database.query(
        `insert into proxy (ip_port, source, state, recent, checks, country_code, exit_address,
                            latency_ms, checked_at, passed_at, next_check_at)
         select address, 'drill', 'hot', 1, 1,
                case when n <= $2 then 'US' when n = $2 + 1 then 'FR' else 'DE' end,
                '198.51.100.7', 100, now(), now(), 'infinity'
           from unnest($1::text[]) with ordinality as proxies(address, n)
         on conflict (ip_port) do update
           set state = 'hot', recent = 1, checks = 1, fails = 0, latency_ms = 100,
               checked_at = now(), passed_at = now(), next_check_at = 'infinity'`,
        [[...sold, ...listed], working.length],
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
      await Promise.all([
        stripe.close(),
        chain?.close(),
        networks.close(),
        zone.close(),
        dying.close(),
        ...peers.map((peer) => peer.close()),
      ]);
    },
  };
}
