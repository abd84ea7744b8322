import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import type { DataSource } from 'typeorm';

import { QUEUES } from '../../shared/kernel/terms/queue_names.ts';
import { column, execute, row } from '../../shared/platform/rows.ts';
import { openSecrets } from '../../shared/platform/secrets.ts';
import { newSecret } from '../../shared/domains/webhooks/signature.ts';
import { secretOf } from '../../shared/domains/webhooks/webhooks.ts';
import { honestClients, measure, type Measurement } from '../attacks/honest_clients.ts';
import { openHttpClient } from '../attacks/http_client.ts';
import { cpuMeter } from '../measure/cpu_meter.ts';
import { median, table } from '../measure/statistics.ts';
import { withDeployments, type Deployment } from '../setup/deployments.ts';
import { builtFolder } from '../setup/platform.ts';
import { populate, type Buyer } from '../setup/populate.ts';

const UNITS = 200;
const HONEST_AGENTS = 20;
const WRITE_EVERY_MS = 100;
/** Goal for the p99 of purchases with deliveries, divided by the p99 without. */
const GOAL = 1.2;

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    /** Length of each measurement. */
    seconds: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '3' },
    /** Events a minute, of all subscribers together. */
    events: { type: 'string', default: '10000' },
    subscribers: { type: 'string', default: '100' },
  },
});

/**
 * `npm run bench:webhooks`: the time of purchases while many events are sent to many webhooks,
 * beside the same events without receivers, and without events. Everything is on one machine, also
 * the receiver, which is one process that answers 204 at once. It runs at low priority, because
 * real receivers are elsewhere.
 */
await withDeployments(async (deployments) => {
  const [seconds, rounds] = [Number(options.seconds), Number(options.rounds)];
  const deployment = await deployments.open('webhooks');
  const owner = await deployment.admin();
  const population = await populate(deployment, owner, UNITS);
  const built = await builtFolder();
  const env = { EGRESS_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'error' };
  const [api, receiver, worker, sender] = await Promise.all([
    deployment.start(join(built, 'api.js'), { env }),
    deployment.start('bench/webhooks/receiver.ts'),
    deployment.start(join(built, 'worker.js'), { env: { ...env, QUEUES: QUEUES.join() } }),
    deployment.start(join(built, 'worker.js'), { env: { ...env, QUEUES: 'webhooks' } }),
  ]);
  const honest = population.buyers.slice(0, HONEST_AGENTS).map(({ key }) => key);
  const subscribers = population.buyers.slice(-Number(options.subscribers));
  const url = `http://127.0.0.1:${receiver.ready.port}/`;
  await subscribe(deployment, owner, { subscribers, url });
  const { purchases } = honestClients(honest, population.products);
  const call = openHttpClient(api.ready.port);
  const pids = {
    API: api.pid,
    worker: worker.pid,
    webhooks: sender.pid,
    ...deployment.pids,
    receiver: receiver.pid,
    'callers and events': process.pid,
  };
  const buy = async () => {
    const meter = cpuMeter(pids);
    meter.snapshot();
    const { purchases: measured } = await measure(call, { purchases }, seconds);
    meter.snapshot();
    const cores = meter.perCall(seconds * 10_000); // µs out of 10 000: per cent
    return { ...measured, cores };
  };
  await measure(call, { purchases }, 5);

  const found: RoundResult[][] = [];
  for (let n = 0; n < rounds; n += 1) {
    const quiet = await buy();
    await setStatus(owner, 'disabled');
    const unsent = await beside(writeEvents(owner, subscribers), buy);
    // Events without a receiver are not sent later.
    await execute(owner, 'update webhook set position = (select max(id) from event)');
    await setStatus(owner, 'active');
    const before = await receiver.ask<number>({});
    const sent = await beside(writeEvents(owner, subscribers), buy);
    const during = (await receiver.ask<number>({})) - before;
    const lateMs = await untilSent(owner);
    const all = (await receiver.ask<number>({})) - before;
    found.push([quiet, unsent, sent]);
    console.log(
      `round ${n + 1}: purchases p99 ${found[n]!.map(({ p99 }) => p99.toFixed(0)).join(' / ')} ms; ` +
        `${during} deliveries meanwhile, ${all} after ${lateMs.toFixed(0)} ms more`,
    );
  }
  await owner.destroy();
  const sides = ['no events', 'events', 'events, sent to webhooks'];
  const lines = sides.map((side, n) => {
    const of = (read: (one: RoundResult) => number) =>
      median(found.map((round) => read(round[n]!)));
    const ratio = median(found.map((round) => round[n]!.p99 / round[0]!.p99));
    const refused = of((one) => one.refused + one.pending);
    return [
      side,
      ...[of(({ p50 }) => p50), of(({ p99 }) => p99)].map((ms) => ms.toFixed(0)),
    ].concat([ratio.toFixed(2), String(refused)]);
  });
  const head = ['purchases beside', 'p50', 'p99', 'p99 / p99 of the first', 'not 200'];
  console.log(`\n${table([head, ...lines])}`);
  const names = Object.keys(pids);
  const used = sides.map((side, n) => [
    side,
    ...names.map((name) => median(found.map((round) => round[n]!.cores[name]!)).toFixed(0)),
  ]);
  console.log(`\n${table([['% of a core', ...names], ...used])}`);
  console.log(`goal of the last: at most ${GOAL}`);
});

type RoundResult = Measurement & { readonly cores: Readonly<Record<string, number>> };

/** Adds one webhook for each subscriber, by SQL, because in production URLs begin with https. */
async function subscribe(
  { config }: Deployment,
  owner: DataSource,
  { subscribers, url }: { subscribers: readonly Buyer[]; url: string },
): Promise<void> {
  const secrets = openSecrets(config.masterKeys);
  for (const { id: rootId } of subscribers) {
    const { id } = await row(owner, { id: column.id }, `select nextval('webhook_id') as id`);
    const sealed = secrets.seal(newSecret(), secretOf({ id, root_id: rootId }));
    await execute(
      owner,
      `insert into webhook (id, root_id, url, description, types, secret, position, types_from)
       values ($1, $2, $3, '', '{}', $4, 0, 0)`,
      [id, rootId, url, sealed],
    );
  }
}

function setStatus(owner: DataSource, status: string): Promise<number> {
  return execute(owner, 'update webhook set status = $1', [status]);
}

/** Writes events of the subscribers at a steady rate, until it is told to end. */
function writeEvents(owner: DataSource, subscribers: readonly Buyer[]) {
  const ids = subscribers.map(({ id }) => id);
  const perSecond = Number(options.events) / 60;
  const from = performance.now();
  let written = 0;
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      const due = Math.floor(((performance.now() - from) / 1_000) * perSecond) - written;
      await execute(
        owner,
        `insert into event (agent_id, root_id, type, object_kind, object_id, status, data)
         select id, id, 'order.completed', 'order', n, 'completed', '{"quantity":1}'
           from (select n, ($1::bigint[])[1 + n % cardinality($1::bigint[])] as id
                   from generate_series($2::int, $3::int) n) of_one`,
        [ids, written, written + due - 1],
      );
      written += due;
      await sleep(WRITE_EVERY_MS);
    }
  };
  const done = write();
  return {
    async end() {
      isOver = true;
      await done;
    },
  };
}

async function beside<T>(load: { end(): Promise<void> }, work: () => Promise<T>): Promise<T> {
  await sleep(6_000); // Rounds of webhooks begin every five seconds.
  const result = await work();
  await load.end();
  return result;
}

/** Resolves when everything was sent, with the time that it took. */
async function untilSent(owner: DataSource): Promise<number> {
  const from = performance.now();
  for (;;) {
    const { left } = await row(
      owner,
      { left: column.int },
      `select count(*)::int as left from webhook w
        where exists (select from event e where e.root_id = w.root_id and e.id > w.position)
           or exists (select from webhook_delivery d
                       where d.webhook_id = w.id and d.status = 'waiting')`,
    );
    if (left === 0) return performance.now() - from;
    await sleep(100);
  }
}
