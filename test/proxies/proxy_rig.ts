import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CheckResult } from '../../shared/domains/proxies/gateway.ts';
import { eventually, TestPlatform, type Reply } from '../harness.ts';
import { startPeer, startRouter, type Behaviour, type Peer, type Router } from './peers.ts';
import { patience } from '../platform/pace.ts';

const OPERATOR_TOKEN = 'operator-token-of-the-tests';

interface Options {
  readonly env?: Record<string, string>;
  readonly open?: (options: { env: Record<string, string> }) => Promise<TestPlatform>;
}

/** A platform behind a router, with real proxies and sources that list what a test wants. */
export class ProxyRig {
  static async open({ env, open = (o) => TestPlatform.open(o) }: Options = {}): Promise<ProxyRig> {
    const router = await startRouter();
    const rig = new ProxyRig(router);
    await rig.#serve();
    const { port } = rig.#server.address() as AddressInfo;
    rig.env = {
      PUBLIC_URL: router.url,
      TRUSTED_HOPS: '1',
      EGRESS_ALLOW: '127.0.0.0/8',
      PROXY_CHECK_MS: String(Math.min(20_000, patience(5_000))),
      PROXY_SOURCES: `http://127.0.0.1:${port}/list.txt ${rig.file}`,
      ...env,
    };
    rig.platform = await open({ env: rig.env });
    router.to = rig.platform.url;
    rig.#hurryChecks();
    return rig;
  }

  platform!: TestPlatform;
  /** For other processes of this platform. */
  env!: Record<string, string>;
  readonly router: Router;
  /** The second source. */
  readonly file = join(tmpdir(), `proxies-${randomUUID()}.csv`);
  /** The answer of the first source. */
  answer: { status: number; body: string | Buffer } = { status: 200, body: '' };
  readonly #peers: Peer[] = [];
  #server!: Server;

  constructor(router: Router) {
    this.router = router;
    writeFileSync(this.file, '');
  }

  async #serve(): Promise<void> {
    this.#server = createServer((_req, res) => {
      res.writeHead(this.answer.status).end(this.answer.body);
    });
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve()));
  }

  /** Whether a proxy is hot or warm must not depend on the load of this machine. */
  #hurryChecks(): void {
    const gateways = this.platform.context.gateways!;
    const { proxies } = gateways;
    const quick = (finding: CheckResult): CheckResult =>
      finding.answered ? { ...finding, latencyMs: Math.min(finding.latencyMs, 1_000) } : finding;
    const check = async (addresses: readonly string[]) =>
      (await proxies.check(addresses))?.map(quick);
    Object.assign(gateways, { proxies: { list: () => proxies.list(), check } });
  }

  async peer(behaviour: Behaviour, exit?: { local: string }): Promise<Peer> {
    const peer = await startPeer(behaviour, exit?.local);
    this.#peers.push(peer);
    return peer;
  }

  /** From now on the sources list these: the first as lines, the second as it is given. */
  list(lines: readonly string[], csv = ''): void {
    this.answer = { status: 200, body: lines.join('\n') };
    writeFileSync(this.file, csv);
  }

  /** Asks the sources, as an operator. */
  refresh(headers = {}): Promise<Reply> {
    const route = 'POST /api/v1/admin/proxy/refresh';
    const all = { prefer: 'wait=25', ...headers };
    return this.platform.request(route, { key: OPERATOR_TOKEN, headers: all });
  }

  /** The pool's row of a proxy. */
  async row(address: string) {
    const [row] = await this.platform.query('select * from proxy where ip_port = $1', [address]);
    return row;
  }

  /** Waits until each has been checked, however often it was before. */
  async checked(...peers: readonly { address: string }[]): Promise<void> {
    const addresses = peers.map(({ address }) => address);
    await eventually(
      () =>
        this.platform.query(
          'select from proxy where ip_port = any ($1) and checked_at is not null',
          [addresses],
        ),
      (rows) => rows.length === addresses.length,
    );
  }

  /** Has these checked now, `times` times, one after the other. */
  async recheck(peers: readonly { address: string }[], times = 1): Promise<void> {
    const addresses = peers.map(({ address }) => address);
    for (let n = 0; n < times; n += 1) {
      const [{ before }] = await this.platform.query(
        `with due as (update proxy set next_check_at = now() - interval '1 day'
                       where ip_port = any ($1) and state <> 'dead')
         select clock_timestamp() as before`,
        [addresses],
      );
      await this.refresh(); // Which starts what is due.
      await eventually(
        () =>
          this.platform.query(
            `select from proxy where ip_port = any ($1) and state <> 'dead'
                and (checked_at is null or checked_at < $2)`,
            [addresses, before],
          ),
        (late) => late.length === 0,
      );
    }
  }

  /** Their states, in this order. */
  async states(...peers: readonly { address: string }[]): Promise<string[]> {
    const rows = await Promise.all(peers.map(({ address }) => this.row(address)));
    return rows.map(({ state }) => state);
  }

  async close(): Promise<void> {
    await this.platform.close();
    await this.router.close();
    await Promise.all(this.#peers.map((peer) => peer.close()));
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }
}
