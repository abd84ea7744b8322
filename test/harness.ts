import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';

import { createApp } from '../api/app.ts';
import { queues } from '../shared/composition/queues.ts';
import { openInvoke } from '../shared/composition/invoke/invoke.ts';
import { newMasterKey } from '../shared/platform/config/setting_values.ts';
import { readConfig, type Config } from '../shared/composition/config.ts';
import { transact } from '../shared/platform/database.ts';
import { openWaiters, type Waiters } from '../shared/jobs/waiters.ts';
import { fromUsd } from '../shared/kernel/money.ts';
import { closeContext, openContext } from '../shared/composition/open_context.ts';
import { redisForWorkers } from '../shared/platform/redis.ts';
import type { Context } from '../shared/composition/context.ts';
import { startDeliveries } from '../workers/deliveries.ts';
import { startDispatcher } from '../workers/dispatch.ts';
import { openGateways } from '../workers/gateways/open.ts';
import { startWorker } from '../workers/worker.ts';
import { checkAnswer, jsonOf } from './answers.ts';
import { quietNameServer } from './name_server.ts';
import { deposit } from './deposits/cash.ts';
import { eventually } from './platform/eventually.ts';
import { openHttpClient, type Sent } from './platform/http_client.ts';
import { patientLimits } from './platform/patient_limits.ts';
import { NO_RATE_LIMITS } from './no_rate_limits.ts';
import { admin, copyTemplate, urlAs } from './databases.ts';

export { eventually };

const { TEST_POSTGRES_URL: POSTGRES = '', TEST_REDIS_URL: REDIS = '' } = process.env;

export interface Options {
  readonly env?: Record<string, string>;
  /** Another Redis than the shared one, for tests that break it. `open` does not wait for it. */
  readonly redisUrl?: string;
  /** Another PostgreSQL (superuser's URL), for tests that break it. */
  readonly postgresUrl?: string;
  /** The port of a relay on this machine through which the platform reaches its database. */
  readonly relayPort?: number;
  readonly workers?: boolean;
  /** Scheduled operations run by the clock. Absent: only when a test starts one. */
  readonly schedules?: boolean;
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any answer
  body: any;
}

/** The whole platform in one process, with real servers and a database of its own. */
export class TestPlatform {
  static async open(options: Options = {}): Promise<TestPlatform> {
    const name = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
    const postgres = options.postgresUrl ?? POSTGRES;
    await copyTemplate(postgres, name);
    const databaseUrl = new URL(urlAs(postgres, name, 'market_app'));
    if (options.relayPort) databaseUrl.host = `127.0.0.1:${options.relayPort}`;
    const config = readConfig({
      NODE_ENV: 'test',
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: databaseUrl.href,
      MIGRATION_DATABASE_URL: urlAs(postgres, name, 'market_owner'),
      REDIS_URL: options.redisUrl ?? REDIS,
      // Clients, API and workers are one process here, and other tests run beside it.
      ...patientLimits({ redisMs: options.redisUrl === undefined ? 5_000 : 800 }),
      OPERATOR_TOKEN: 'operator-token-of-the-tests',
      MASTER_KEYS: newMasterKey('test'),
      DATABASE_CONNECTIONS: '10',
      // Nobody answers there: withdrawals wait, and so do tokens.
      BASE_RPC_URLS: 'http://127.0.0.1:9',
      ALGO_NODE_URL: 'http://127.0.0.1:9',
      ALGO_INDEXER_URLS: 'http://127.0.0.1:9',
      ALGO_KEY_FILE: 'no_key',
      SOLANA_RPC_URLS: 'http://127.0.0.1:9',
      SOLANA_KEY_FILE: 'no_key',
      PASSWORD_MEMORY_KIB: '64', // Tests register thousands of agents.
      CALLS_MAX: '5000', // Tests make more calls at once than an API accepts by default.
      DNS_SERVERS: (await quietNameServer()).address,
      ...NO_RATE_LIMITS,
      ...options.env,
    });
    const prefix = `{${name}}`;
    const gateways = openGateways(config);
    const context = await openContext(config, { process: 'test', prefix, gateways });
    const platform = new TestPlatform({ name, prefix, postgres, config, context }, options);
    await platform.#start(options.workers ?? true);
    if (!options.redisUrl) await eventually(async () => context.queue.ready(), Boolean);
    return platform;
  }

  readonly name: string;
  readonly prefix: string;
  readonly postgres: string;
  readonly config: Config;
  readonly context: Context;
  readonly #schedules: boolean;
  readonly #waiters: Waiters;
  readonly #draining = new AbortController();
  readonly #client = openHttpClient();
  #server!: Server;
  #workers: Promise<{ close(): Promise<void> }[]> = Promise.resolve([]);

  constructor(
    parts: Pick<TestPlatform, 'name' | 'prefix' | 'postgres' | 'config' | 'context'>,
    { schedules = false }: Options,
  ) {
    this.#schedules = schedules;
    this.name = parts.name;
    this.prefix = parts.prefix;
    this.postgres = parts.postgres;
    this.config = parts.config;
    this.context = parts.context;
    this.#waiters = openWaiters(parts.context.reserved, parts.config.redisUrl, parts.context.log);
  }

  async #start(workers: boolean): Promise<void> {
    const invoke = openInvoke(this.context, this.#waiters);
    const answer = createApp(this.context, invoke, { draining: this.#draining.signal });
    this.context.keys.start(() => undefined);
    this.#server = await new Promise<Server>((resolve) => {
      const server = createServer(answer).listen(0, '127.0.0.1', () => resolve(server));
    });
    // Its client is in this process, which may stand still: an idle connection could be closed here
    // while a request is written to it.
    this.#server.keepAliveTimeout = 0;
    if (workers) await this.resumeWorkers();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** `request('POST /api/v1/orders', {key, body})`. The body goes as JSON unless it is a string. */
  async request(route: string, sent: Sent = {}): Promise<Reply> {
    const [method, path] = route.split(' ') as [string, string];
    const received = await this.#client.send(method, this.url + path, sent);
    const reply = { ...received, body: jsonOf(received.text) };
    checkAnswer(route, sent.body, reply);
    return reply;
  }

  /** A new agent, registered over HTTP, with `usd` more than its welcome credit. */
  async agent({ usd = 0 } = {}): Promise<{ id: number; key: string; username: string }> {
    const username = `a${randomUUID().slice(0, 12)}`;
    const { body } = await this.request('POST /api/v1/agent/register', {
      body: { username, email: `${username}@example.com`, password: 'correct horse battery' },
    });
    if (!body.success) throw new Error(`registering failed: ${JSON.stringify(body)}`);
    if (usd > 0) await this.fund(body.agent_id, usd);
    return { id: body.agent_id, key: body.api_key.key, username };
  }

  /** A deposit, as a payment rail would make it. */
  async fund(agentId: number, usd: number): Promise<void> {
    const { config } = this;
    const cash = fromUsd(usd);
    await transact(this.context.database, (db) => deposit({ db, config }, [agentId], cash));
  }

  /** A key of this agent's with these scopes only. */
  async keyOf(agent: { key: string }, scopes: string[]): Promise<string> {
    const call = { key: agent.key, body: { name: 'test', scopes } };
    return (await this.request('POST /api/v1/agent/keys', call)).body.api_key.key;
  }

  /** A product on sale. */
  async product(
    seller: { key: string },
    fields: { price?: number; items?: string[]; [field: string]: unknown } = {},
  ): Promise<{ id: number }> {
    const { body } = await this.request('POST /api/v1/products', {
      key: seller.key,
      body: {
        title: 'A serial key',
        description: 'It opens what it is for.',
        category: 'serial_key',
        price: 1,
        ...(fields.stock_kind === undefined || fields.stock_kind === 'serial_pool'
          ? { stock_kind: 'serial_pool', items: [`KEY-${randomUUID()}`] }
          : {}),
        ...fields,
      },
    });
    if (!body.product_id) throw new Error(`listing failed: ${JSON.stringify(body)}`);
    return { id: body.product_id };
  }

  /** Returns the balance that this agent's wallet shows. */
  async balance(agent: { key: string }): Promise<number> {
    return (await this.request('GET /api/v1/wallet', { key: agent.key })).body.balance;
  }

  query(sql: string, parameters: unknown[] = []) {
    return this.context.database.query(sql, parameters);
  }

  async resumeWorkers(): Promise<void> {
    await (this.#workers = this.#startWorkers());
  }

  /** Resolves when the workers take jobs. */
  async #startWorkers() {
    const { config, context, prefix } = this;
    const connection = redisForWorkers(config.redisUrl, context.log);
    const workers = queues.map((queue) => startWorker(context, queue, connection, prefix));
    await Promise.all(workers.map(({ ready }) => ready));
    // A new Redis looks like one that lost its data, and then the dispatcher pushes jobs twice.
    await eventually(async () => context.queue.ready(), Boolean);
    const dispatcher = startDispatcher(context, prefix, { schedules: this.#schedules });
    await dispatcher.ready;
    const disconnect = { close: async () => connection.disconnect() };
    const dispatching = { close: () => dispatcher.stop() };
    return [dispatching, startDeliveries(context), ...workers, disconnect];
  }

  async pauseWorkers(): Promise<void> {
    for (const worker of await this.#workers) await worker.close();
    this.#workers = Promise.resolve([]);
  }

  async close(): Promise<void> {
    this.#draining.abort();
    this.#waiters.close();
    this.#client.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.pauseWorkers();
    await closeContext(this.context);
    await admin(this.postgres, `drop database ${this.name} with (force)`);
  }
}
