import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DataSource } from 'typeorm';

import { openStripeDouble, type StripeDouble } from '../../sandbox/stripe/double.ts';
import { startHostileNameServer } from '../email/hostile_name_servers.ts';
import { EXITS, startPeer } from '../proxies/peers.ts';
import type { Name } from '../email/zone.ts';
import { RIG_KEY, RIG_SECRET } from '../sandbox/stripe_rig.ts';
import { startReceiver, type Receiver } from '../webhooks/receiver.ts';
import { openDrillChain, type DrillChain } from './clients/rails/chain.ts';
import { openDrillNetworks, type DrillNetworks } from './clients/rails/networks.ts';
import { openFront } from './peers/front.ts';
import { openHostileProxies } from './peers/hostile_proxies.ts';

/** The outside of a marketplace of a drill: real peers on loopback, which nothing breaks. */
export interface Outside {
  /** Settings of its processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Port of a web server that answers with the path that it was asked for. */
  readonly targetPort: number;
  /** The known address of the marketplace: before its APIs. */
  readonly publicUrl: string;
  /** Cards are charged here. It sends its events to one of the APIs. */
  readonly stripe: StripeDouble;
  /** Withdrawals and payments by x402 are paid on it. Undefined: npm has no node for it here. */
  readonly chain: DrillChain | undefined;
  /** Agents pay in by these, and tokens are issued on them. Throws where there are no rails. */
  readonly networks: DrillNetworks;
  /** Puts its proxies on sale: those in US work, those in DE are listed, others are hostile. */
  stockProxies(database: DataSource): Promise<void>;
  /** A server to which events can be sent. */
  openReceiver(): Promise<Receiver>;
  close(): Promise<void>;
}

/** Findings about the addresses of each domain. */
export const FINDINGS: Readonly<Record<string, string>> = {
  'mail.example': 'domain_accepts_mail',
  'plain.example': 'no_mx',
  'null.example': 'null_mx',
  'none.example': 'no_such_domain',
};
/** Findings about domains of hostile name servers are different with each. */
export const HOSTILE_DOMAINS = {
  quick: ['truncated', 'wrong-owner', 'alias-chain', 'alias-loop', 'private-address', 'huge'],
  slow: ['silent', 'slow', 'wrong-id', 'truncated-then-silent', 'cut-off', 'noise'],
} as const;
const NAMES: Record<string, Name> = {
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

/**
 * `apis` are the base URLs of the marketplace's. Without rails no money comes in or goes out by
 * chains, and its processes start sooner.
 */
export async function openOutside(
  apis: readonly string[],
  { hasRails }: { hasRails: boolean },
): Promise<Outside> {
  const target = createServer((req, res) => res.end(req.url));
  await new Promise<void>((resolve) => void target.listen(0, '127.0.0.1', () => resolve()));
  const { port: targetPort } = target.address() as AddressInfo;
  let sent = 0;
  const endpoint = {
    secret: RIG_SECRET,
    // The URL of a load balancer before them.
    get url() {
      sent += 1;
      return `${apis[sent % apis.length]}/webhooks/stripe`;
    },
  };
  const hostile = await openHostileProxies();
  const [front, stripe, chain, networks, names, ...peers] = await Promise.all([
    openFront(apis),
    openStripeDouble({ key: RIG_KEY, endpoints: [endpoint], retryMs: EVENT_RETRY_MS }),
    hasRails ? openDrillChain() : undefined,
    hasRails ? openDrillNetworks() : undefined,
    startHostileNameServer(NAMES),
    ...Array.from({ length: WORKING }, () => startPeer('working', EXITS.US.local)),
  ]);
  const receivers: Receiver[] = [];
  const sold = [
    ...peers.map(({ address }) => ({ address, country: 'US' })),
    ...Array.from({ length: LISTED }, (_, n) => ({
      address: `10.51.0.${n}:1080`,
      country: 'DE',
    })),
    ...hostile.proxies,
  ];

  return {
    env: {
      EGRESS_ALLOW: '127.0.0.0/8',
      PUBLIC_URL: front.url,
      DNS_SERVERS: names.address,
      SOCKS_TARGET_PORTS: String(targetPort),
      STRIPE_API_BASE: stripe.url,
      STRIPE_SECRET_KEY: RIG_KEY,
      STRIPE_WEBHOOK_SECRETS: RIG_SECRET,
      ...chain?.env,
      ...networks?.env,
      ...(hasRails && { SANDBOX: 'base,x402,algorand,solana,tron' }),
    },
    targetPort,
    publicUrl: front.url,
    stripe,
    chain,
    get networks() {
      if (!networks) throw new Error('this drill has no rails');
      return networks;
    },
    async stockProxies(database) {
      await database.query(
        `insert into proxy (ip_port, source, state, recent, checks, country_code, exit_address,
                            latency_ms, checked_at, passed_at, next_check_at)
         select address, 'drill', 'hot', 1, 1, country, '198.51.100.7', 100, now(), now(),
                'infinity'
           from unnest($1::text[], $2::text[]) as proxies(address, country)
         on conflict (ip_port) do update
           set state = 'hot', recent = 1, checks = 1, fails = 0, latency_ms = 100,
               checked_at = now(), passed_at = now(), next_check_at = 'infinity'`,
        [sold.map(({ address }) => address), sold.map(({ country }) => country)],
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
        networks?.close(),
        front.close(),
        names.close(),
        hostile.close(),
        ...peers.map((peer) => peer.close()),
      ]);
    },
  };
}
