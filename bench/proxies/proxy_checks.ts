import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { SocksProxyAgent } from 'socks-proxy-agent';

import { PLATFORM } from '../../shared/agents/caller.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { newJobId } from '../../shared/jobs/jobs.ts';
import { openContext } from '../../shared/composition/open_context.ts';
import { transact } from '../../shared/platform/database.ts';
import { column, execute, row, rows } from '../../shared/platform/rows.ts';
import { perform } from '../../shared/kernel/perform.ts';
import { lockFreeSlots, nextBatch, type Batch } from '../../shared/proxies/checks/batches.ts';
import { checkProxies } from '../../shared/proxies/checks/check_proxies.ts';
import { openGateways } from '../../workers/gateways/open.ts';

// Checks of proxies as a worker makes them, batch by batch with their results stored, and a bare
// loop over the same proxies. What counts is the CPU time of this process.
const BATCHES = 2;
const BATCH = 250;

const config = readConfig();
const context = await openContext(config, { process: 'checks', gateways: openGateways(config) });
const [judge] = config.proxies.judges;
const proxies = await rows(context.database, { ip_port: column.text }, 'select ip_port from proxy');
let next = 0;

async function bare(): Promise<number> {
  const { ip_port: proxy } = proxies[(next += 1) % proxies.length]!;
  const agent = new SocksProxyAgent(`socks5h://${proxy}`);
  const sent = get(`${judge}?nonce=nonce-nonce-nonce-nonce`, { agent });
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  for await (const piece of answer) void piece;
  return 1;
}

async function batchOf(slot: number): Promise<number> {
  const { batch } = await row(
    context.database,
    { batch: column.id },
    'select batch from proxy_check_slot where slot = $1',
    [slot],
  );
  const now = context.clock.now();
  const call = { caller: PLATFORM, key: newJobId(now), now, requestId: 'bench' };
  const outcome = await perform(context, checkProxies, { slot, batch } satisfies Batch, call);
  const { passed } = outcome!.body as { passed: number };
  if (passed !== BATCH) throw new Error(`of a batch ${passed} proxies passed`);
  return passed;
}

/** Makes everything due, and starts so many batches. */
async function prepare(): Promise<void> {
  await transact(context.database, async (db) => {
    await execute(db, `update proxy set next_check_at = now() - interval '1 day'`);
    await execute(db, `update proxy_check_slot set busy_until = '-infinity'`);
    const slots = await lockFreeSlots(db);
    for (const slot of slots.slice(0, BATCHES)) await nextBatch(db, slot);
  });
}

interface Question {
  readonly what: 'bare' | 'ours';
  readonly warmMs: number;
  readonly ms: number;
}

async function measure({ what, warmMs, ms }: Question) {
  await prepare();
  await run(what, warmMs);
  const began = process.cpuUsage();
  const from = performance.now();
  const checks = await run(what, ms);
  const { user, system } = process.cpuUsage(began);
  const perSecond = (checks / (performance.now() - from)) * 1_000;
  return { perSecond, p50: Number.NaN, p99: Number.NaN, cpu: { node: (user + system) / checks } };
}

async function run(what: Question['what'], ms: number): Promise<number> {
  const until = performance.now() + ms;
  let checks = 0;
  const loops = what === 'bare' ? BATCHES * BATCH : BATCHES;
  await Promise.all(
    Array.from({ length: loops }, async (_, loop) => {
      while (performance.now() < until) {
        // Not `checks += await`: the other loops count meanwhile.
        const done = what === 'ours' ? await batchOf(loop + 1) : await bare();
        checks += done;
      }
    }),
  );
  return checks;
}

process.on('message', (question: Question) => {
  void measure(question).then((answer) => process.send!(answer));
});
process.send!({ port: 0 });
