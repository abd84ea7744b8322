import { randomUUID } from 'node:crypto';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import {
  createServer as createTcp,
  type AddressInfo,
  type Server as Tcp,
  type Socket,
} from 'node:net';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';
import { SocksProxyAgent } from 'socks-proxy-agent';

import { openSocksServer, type SocksServer } from '../../../api/socks/server.ts';
import { LIMITS, type Limits } from '../../../api/socks/limits.ts';
import type { SocksSettings } from '../../../shared/domains/proxies/settings.ts';
import { audit } from '../../../shared/composition/audit.ts';
import { operation } from '../../../shared/kernel/operation.ts';
import { perform } from '../../../shared/performing/perform.ts';
import { cachedPool } from '../../../shared/domains/proxies/pool/pool.ts';
import { POSITIONS } from '../../../shared/domains/proxies/pool/segments.ts';
import { Input, Output, Type } from '../../../shared/kernel/schema.ts';
import { charge } from '../../../shared/domains/wallet/charge.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { EXITS, startPeer, type Behaviour, type Peer } from '../../proxies/peers.ts';

import { RawClient } from './raw_client.ts';

type Country = 'US' | 'DE' | 'JP';
type Agent = Awaited<ReturnType<TestPlatform['agent']>> & { readonly proxyKey: string };

/** A platform with a SOCKS5 server, real proxies, and targets behind them. */
export class Rig {
  static async open(open: (env: Record<string, string>) => Promise<TestPlatform> = openPlatform) {
    const web = createServer((req, res) => {
      res.end(JSON.stringify({ from: req.socket.remoteAddress, path: req.url }));
    });
    const rig = new Rig(web);
    await Promise.all([listening(web), listening(rig.#plain)]);
    rig.platform = await open(rig.env);
    return rig;
  }

  platform!: TestPlatform;
  /** Behaviour of a target that is no web server on a connection. */
  serve: (socket: Socket) => void = (socket) => void socket.pipe(socket);
  readonly #web: Server;
  readonly #plain: Tcp;
  readonly #served = new Set<Socket>();
  #peers: Peer[] = [];
  #positions = 0;
  #servers: SocksServer[] = [];

  constructor(web: Server) {
    this.#web = web;
    this.#plain = createTcp({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined);
      this.#served.add(socket.on('close', () => this.#served.delete(socket)));
      this.serve(socket);
    });
  }

  get webPort(): number {
    return portOf(this.#web);
  }
  get plainPort(): number {
    return portOf(this.#plain);
  }

  /** For every process of it. */
  get env(): Record<string, string> {
    return {
      EGRESS_ALLOW: '127.0.0.0/8',
      SOCKS_PORT: '0',
      SOCKS_TARGET_PORTS: `${this.webPort},${this.plainPort}`,
    };
  }

  async server(
    limits: Partial<Limits> = {},
    settings: Partial<SocksSettings> = {},
  ): Promise<SocksServer> {
    const { context } = this.platform;
    // However slow this machine is, a proxy is not silent before a test says so.
    const all = { ...LIMITS, proxyMs: LIMITS.dialMs, drainMs: 100, ...limits };
    const server = await openSocksServer(
      context,
      { ...context.config.proxies.socks!, ...settings },
      all,
    );
    this.#servers.push(server);
    return server;
  }

  /** A real proxy, on sale, and in the pool that this process has read. */
  async proxy(country: Country, behaviour: Behaviour = 'working'): Promise<Peer> {
    const peer = await startPeer(behaviour, EXITS[country].local);
    this.#peers.push(peer);
    // One that is closed may have had the same port.
    await this.platform.query('delete from proxy where ip_port = $1', [peer.address]);
    const [{ id }] = await this.platform.query(
      `insert into proxy (ip_port, source, state, recent, checks, country_code, exit_address,
                          latency_ms, checked_at, passed_at, next_check_at, position)
       select $1, 'test', 'hot', 1, 1, $2, '198.51.100.7', 100, t, t, 'infinity', $3
         from (select now() - interval '5 minutes' as t) checked
       returning id`,
      [peer.address, country, this.#nextPosition()],
    );
    await eventually(
      async () => cachedPool(this.platform.context.database),
      (pool) => pool?.countries.get(country)?.ids.includes(id) ?? false,
    );
    return peer;
  }

  /** By the golden ratio: any number of them are about equally far from each other. */
  #nextPosition(): number {
    this.#positions += 0.618_034;
    return Math.floor((this.#positions % 1) * POSITIONS);
  }

  /** Takes all proxies off sale. */
  async clear(): Promise<void> {
    RawClient.closeAll();
    await this.platform.query(`update proxy set state = 'dead', next_check_at = 'infinity'`);
    await Promise.all(this.#peers.splice(0).map((peer) => peer.close()));
  }

  /** The addresses of those of these proxies that are due for a check. */
  async due(...peers: readonly Peer[]): Promise<string[]> {
    const rows: { ip_port: string }[] = await this.platform.query(
      'select ip_port from proxy where ip_port = any ($1) and next_check_at <= now()',
      [peers.map(({ address }) => address)],
    );
    return rows.map(({ ip_port: address }) => address);
  }

  async agent(options: { usd?: number } = {}): Promise<Agent> {
    const agent = await this.platform.agent(options);
    return { ...agent, proxyKey: await this.proxyKey(agent) };
  }

  async proxyKey({ key }: { key: string }): Promise<string> {
    return (await this.platform.request('GET /api/v1/proxy/my-key', { key })).body.key;
  }

  /** Charges an agent for so many connections. */
  async spend(agent: { id: number }, connections: number): Promise<void> {
    const caller = { agentId: agent.id, rootId: agent.id, keyId: 0, scopes: [] };
    const call = { caller, key: randomUUID(), now: new Date(), requestId: 'test' };
    await perform(this.platform.context, pays, { units: connections }, call);
  }

  /** The answer of the web server to a client of a maintained library. */
  async get(
    server: SocksServer,
    { proxyKey }: { proxyKey: string },
    { name = 'agent', host = 'target.example', path = '/' } = {},
  ): Promise<{ from: string; path: string }> {
    const agent = new SocksProxyAgent(`socks5h://${name}:${proxyKey}@127.0.0.1:${server.port}`);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const url = `http://${host}:${this.webPort}${path}`;
      request(url, { agent }, resolve).on('error', reject).end();
    });
    return JSON.parse(await text(answer));
  }

  /** How many charges for one connection this agent has that were not refunded. */
  async charges(agent: { id: number; key: string }): Promise<number> {
    const [{ count }] = await this.platform.query(
      `select count(*)::int from charge
        where agent_id = $1 and service = 'proxy' and units = 1
          and refunded_credit + refunded_cash = 0`,
      [agent.id],
    );
    return count;
  }

  async close(): Promise<void> {
    RawClient.closeAll();
    await Promise.all(this.#servers.map((server) => server.close()));
    expect(await audit(this.platform.context.database)).to.deep.equal([]);
    await this.platform.close();
    this.#web.closeAllConnections();
    for (const socket of this.#served) socket.destroy();
    await Promise.all(this.#peers.map((peer) => peer.close()));
    await Promise.all([this.#web, this.#plain].map((server) => closed(server)));
  }
}

const pays = operation({
  name: 'pays',
  title: 'A test',
  summary: 'A test.',
  access: 'any',
  mode: 'write',
  input: Input({ units: Type.Integer() }),
  output: Output({}),
  async handle(tx, { units }) {
    await charge(tx, { service: 'proxy', units });
    return {};
  },
});

const openPlatform = (env: Record<string, string>) => TestPlatform.open({ env, workers: false });

const portOf = (server: Tcp) => (server.address() as AddressInfo).port;

const listening = (server: Tcp) =>
  new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));

const closed = (server: Tcp) => new Promise<void>((resolve) => void server.close(() => resolve()));
