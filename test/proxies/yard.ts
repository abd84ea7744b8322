import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CheckResult } from '../../shared/proxies/gateway.ts';
import { eventually, TestPlatform, type Reply } from '../harness.ts';
import { startPeer, startRouter, type Character, type Peer, type Router } from './peers.ts';

const OPERATOR_TOKEN = 'operator-token-of-the-tests';

interface Options {
  readonly env?: Record<string, string>;
  readonly open?: (options: { env: Record<string, string> }) => Promise<TestPlatform>;
}

interface Job {
  readonly status: string;
}

/** A platform behind a router, with sources that say what a test wants and real proxies. */
export class Yard {
  /** `sources`: names of files and of lists that a server of ours answers with. */
  static async open({ env, open = (o) => TestPlatform.open(o) }: Options = {}): Promise<Yard> {
    const router = await startRouter();
    const yard = new Yard(router);
    await yard.#serve();
    const { port } = yard.#server.address() as AddressInfo;
    yard.env = {
      PUBLIC_URL: router.url,
      TRUSTED_HOPS: '1',
      EGRESS_ALLOW: '127.0.0.0/8',
      PROXY_CHECK_MS: '5000',
      PROXY_SOURCES: `http://127.0.0.1:${port}/list.txt ${yard.file}`,
      ...env,
    };
    yard.platform = await open({ env: yard.env });
    router.to = yard.platform.url;
    yard.#hurryChecks();
    await yard.#quietTimer();
    return yard;
  }

  platform!: TestPlatform;
  /** For other processes of this platform. */
  env!: Record<string, string>;
  readonly router: Router;
  /** The second source. */
  readonly file = join(tmpdir(), `proxies-${randomUUID()}.csv`);
  /** What the first source answers. */
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

  /** Whether a proxy is hot or warm is not to depend on how busy this machine is. */
  #hurryChecks(): void {
    const gateways = this.platform.context.gateways!;
    const { proxies } = gateways;
    const quick = (finding: CheckResult): CheckResult =>
      finding.answered ? { ...finding, latencyMs: Math.min(finding.latencyMs, 1_000) } : finding;
    const check = async (places: readonly string[]) => (await proxies.check(places))?.map(quick);
    Object.assign(gateways, { proxies: { list: () => proxies.list(), check } });
  }

  /**
   * The timer's refresh of this half hour finds nothing, that of the next, which may be about to
   * begin, is said to be done: none comes between.
   */
  async #quietTimer(): Promise<void> {
    const refreshes = () =>
      this.platform.query(`select cause, status from job where operation = 'refresh_proxies'`);
    const [{ cause }] = await eventually(refreshes, (jobs) => jobs.length > 0);
    const [name, begun] = cause.split(/:(.*)/);
    const next = new Date(Date.parse(begun) + 30 * 60_000).toISOString();
    await this.platform.query(
      `insert into job (id, operation, agent_id, cause, input, input_hash, request_id, status,
                        http_status, answer, finished_at)
       select gen_random_uuid(), operation, agent_id, $2, input, input_hash, request_id, 'complete',
              200, '{}', now()
         from job where cause = $1 on conflict do nothing`,
      [cause, `${name}:${next}`],
    );
    await eventually(refreshes, (jobs) => jobs.every(({ status }: Job) => status === 'complete'));
  }

  async peer(character: Character, exit?: { local: string }): Promise<Peer> {
    const peer = await startPeer(character, exit?.local);
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
  async row(place: string) {
    const [row] = await this.platform.query('select * from proxy where ip_port = $1', [place]);
    return row;
  }

  /** Waits until each has been checked, however often it was before. */
  async checked(...peers: readonly { place: string }[]): Promise<void> {
    const places = peers.map(({ place }) => place);
    await eventually(
      () =>
        this.platform.query(
          'select from proxy where ip_port = any ($1) and checked_at is not null',
          [places],
        ),
      (rows) => rows.length === places.length,
    );
  }

  /** Has these checked again now, `times` times, one after the other. */
  async checkAgain(peers: readonly { place: string }[], times = 1): Promise<void> {
    const places = peers.map(({ place }) => place);
    for (let n = 0; n < times; n += 1) {
      const [{ before }] = await this.platform.query(
        `with due as (update proxy set next_check_at = now() - interval '1 day'
                       where ip_port = any ($1) and state <> 'dead')
         select clock_timestamp() as before`,
        [places],
      );
      await this.refresh(); // Which starts what is due.
      await eventually(
        () =>
          this.platform.query(
            `select from proxy where ip_port = any ($1) and state <> 'dead'
                and (checked_at is null or checked_at < $2)`,
            [places, before],
          ),
        (late) => late.length === 0,
      );
    }
  }

  /** Their states, in this order. */
  async states(...peers: readonly { place: string }[]): Promise<string[]> {
    const rows = await Promise.all(peers.map(({ place }) => this.row(place)));
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
