import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { QUERIES } from '../../test/products/search_queries.ts';
import { openHttpClient, type Call, type HttpClient } from './http_client.ts';

// One hostile client, in a process of its own so that honest clients do not wait for it.
export interface Order {
  readonly attack: AttackName;
  readonly port: number;
  /** Key of the attacking agent. */
  readonly key: string;
  readonly products: readonly number[];
  readonly seconds: number;
}

export type AttackName = keyof typeof ATTACKS;

type Statuses = Record<number, number>;

interface Attack {
  readonly call: HttpClient;
  readonly order: Order;
  readonly isOver: () => boolean;
  readonly statuses: Statuses;
}

const KB = 1_024;
const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
const mcp = (body: unknown): Call => ({ path: '/api/v1/mcp', body: JSON.stringify(body) });
const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
const queries = Object.keys(QUERIES);
let searches = 0;
const nextQuery = () => encodeURIComponent(queries[(searches += 1) % queries.length]!);
const silentEmail = () => `a${randomUUID().slice(0, 8)}@stays.silent`;

const ATTACKS = {
  'batches with a cancelled request, without a key': (attack: Attack) =>
    flood(attack, 8, () =>
      mcp([
        list(1),
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      ]),
    ),
  '282 bodies of 255 kB held, without a key': holdBodies,
  'registrations from one address': (attack: Attack) =>
    flood(attack, 50, () => {
      const username = `z${randomUUID().slice(0, 12)}`;
      const account = { username, email: `${username}@a.example`, password: 'correct horse' };
      return {
        path: '/api/v1/agent/register',
        headers: { 'x-forwarded-for': '198.51.100.7' },
        body: JSON.stringify(account),
      };
    }),
  '400 reads of one agent': (attack: Attack) =>
    flood(attack, 400, ({ key }) => ({ path: '/api/v1/wallet/statement?limit=100', key })),
  '400 searches of one agent': (attack: Attack) =>
    flood(attack, 400, ({ key }) => ({
      path: `/api/v1/products/search?query=${nextQuery()}`,
      key,
    })),
  '400 purchases of one agent': (attack: Attack) =>
    flood(attack, 400, ({ key, products }) => ({
      path: '/api/v1/orders',
      key,
      headers: { 'idempotency-key': randomUUID() },
      body: `{"product_id":${products[Math.floor(Math.random() * products.length)]}}`,
    })),
  '3 000 held polls of one agent': holdPolls,
  'batches of 50 tool lists, without a key': (attack: Attack) =>
    flood(attack, 8, () => mcp(Array.from({ length: 50 }, (_, n) => list(n)))),
  'messages of 4 000 requests to a stream': sendToStream,
  'bodies of 250 kB of wrong types': (attack: Attack) => {
    const body = JSON.stringify({ title: 'x', items: Array.from({ length: 120 * KB }, () => 1) });
    return flood(attack, 8, ({ key }) => ({ path: '/api/v1/products', key, body }));
  },
  'bodies of 250 kB of fields': (attack: Attack) => {
    const fields = Array.from({ length: 16_000 }, (_, n) => [`f${n}`, n]);
    const body = JSON.stringify(Object.fromEntries(fields));
    return flood(attack, 8, ({ key }) => ({ path: '/api/v1/products', key, body }));
  },
  '200 validations at a domain that never answers': (attack: Attack) =>
    flood(attack, 200, ({ key }) => ({ path: `/api/v1/email/validate/${silentEmail()}`, key })),
};

/** Floods with this many callers, each of which sends its next call when it has its answer. */
async function flood(
  { call, order, isOver, statuses }: Attack,
  callers: number,
  next: (order: Order) => Call,
): Promise<void> {
  const repeat = async () => {
    while (!isOver()) {
      const { status } = await call(next(order));
      count(statuses, status);
      if (status === 0) await sleep(10); // The connection was refused.
    }
  };
  await Promise.all(Array.from({ length: callers }, repeat));
}

/** Sends all of each body but its last byte; a connection that was closed is opened again. */
async function holdBodies({ order, isOver, statuses }: Attack): Promise<void> {
  const size = 255 * KB;
  const host = `127.0.0.1:${order.port}`;
  const headers = `Host: ${host}\r\nContent-Length: ${size}\r\n\r\n`;
  const head = `POST /api/v1/mcp HTTP/1.1\r\n${headers}`;
  const message = head + '['.repeat(size - 1);
  const hold = async () => {
    while (!isOver()) {
      await new Promise<void>((resolve) => {
        const socket = connect(order.port, '127.0.0.1', () => socket.write(message));
        socket.setTimeout(1_000, () => isOver() && socket.destroy());
        socket.on('data', (data) => count(statuses, Number(data.toString().slice(9, 12))));
        socket.on('error', () => undefined);
        socket.on('close', () => resolve());
      });
      await sleep(10);
    }
  };
  await Promise.all(Array.from({ length: 282 }, hold));
}

/** Sends batches that an SSE stream would have to answer: 195 kB each. */
async function sendToStream(attack: Attack): Promise<void> {
  const { order, call } = attack;
  const path = await streamPathOf(order);
  const body = JSON.stringify(Array.from({ length: 4_000 }, (_, n) => ping(1_000 + n)));
  const batch = { path, key: order.key, body };
  const { text } = await call(batch);
  if (!text.includes('A batch may hold at most')) throw new Error(`it was answered ${text}`);
  await flood(attack, 8, () => batch);
}

/** Path for messages to a new stream, from its first event. The stream stays open. */
function streamPathOf({ port, key }: Order): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
  return new Promise((resolve, reject) => {
    const sent = get({ port, host: '127.0.0.1', path: '/api/v1/mcp/sse', headers }, (response) => {
      response.setEncoding('utf8').on('error', reject);
      let text = '';
      response.on('data', (chunk: string) => {
        text += chunk; // An event may arrive in pieces.
        const [, path] = /event: endpoint\ndata: (\S+)\n/.exec(text) ?? [];
        if (path) resolve(path);
      });
      response.on('end', () => reject(new Error(`no stream: ${text}`)));
    });
    sent.on('error', reject);
  });
}

/** Polls a job that stays pending, because its domains do not answer. */
async function holdPolls(attack: Attack): Promise<void> {
  const { call, order, isOver } = attack;
  const begin = async (): Promise<string> => {
    const emails = Array.from({ length: 100 }, silentEmail);
    const { key } = order;
    const { text } = await call({
      path: '/api/v1/email/validate?wait=0',
      key,
      headers: { 'idempotency-key': randomUUID() },
      body: JSON.stringify({ emails }),
    });
    const { job_id } = JSON.parse(text) as { job_id?: string };
    if (job_id !== undefined) return job_id;
    await sleep(100); // It was refused because of the polls.
    return begin();
  };
  let job = await begin();
  const renew = async () => {
    while (!isOver()) {
      await sleep(1_000);
      const looked = await call({ path: `/api/v1/jobs/${job}?wait=0`, key: order.key });
      if (looked.status === 200 && !looked.text.includes('"pending"')) job = await begin();
    }
  };
  await Promise.all([
    renew(),
    flood(attack, 3_000, ({ key }) => ({ path: `/api/v1/jobs/${job}?wait=25`, key })),
  ]);
}

function count(statuses: Statuses, status: number): void {
  statuses[status] = (statuses[status] ?? 0) + 1;
}

async function perform(order: Order): Promise<Statuses> {
  const until = performance.now() + order.seconds * 1_000;
  const statuses: Statuses = {};
  const isOver = () => performance.now() > until;
  const attack = { call: openHttpClient(order.port), order, isOver, statuses };
  await Promise.race([ATTACKS[order.attack](attack), sleep(order.seconds * 1_000 + 1_000)]);
  return { ...statuses };
}

process.on('message', (order: Order) => {
  void perform(order).then((statuses) => process.send!(statuses));
});
process.send!({ names: Object.keys(ATTACKS) });
