import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { SocksProxyAgent } from 'socks-proxy-agent';

import { PLATFORM } from '../../shared/kernel/caller.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { newJobId } from '../../shared/jobs/jobs.ts';
import { openContext } from '../../shared/composition/open_context.ts';
import { transact } from '../../shared/platform/database.ts';
import { column, execute, row, rows } from '../../shared/platform/rows.ts';
import { perform } from '../../shared/performing/perform.ts';
import {
  lockFreeSlots,
  nextBatch,
  type Batch,
} from '../../shared/domains/proxies/checks/batches.ts';
import { checkProxies } from '../../shared/domains/proxies/checks/check_proxies.ts';
import { openGateways } from '../../workers/gateways/open.ts';
import { serveLoops } from '../measure/loops.ts';

// Checks of proxies as a worker makes them, in batches whose results are stored. With the argument
// `bare`, a loop over the same proxies that makes the same two requests through each (to the judge
// and the page) by the usual SOCKS5 agent, checks nothing and stores nothing.
const BATCHES = 2;
const BATCH = 250;

const config = readConfig();
const context = await openContext(config, { process: 'checks', gateways: openGateways(config) });
const [judge] = config.proxies.judges;
const [page] = config.proxies.pages;
const proxies = await rows(context.database, { ip_port: column.text }, 'select ip_port from proxy');
let next = 0;

async function bare(): Promise<number> {
  const { ip_port: proxy } = proxies[(next += 1) % proxies.length]!;
  await ask(`${judge}?nonce=nonce-nonce-nonce-nonce`, proxy);
  await ask(page!, proxy);
  return 1;
}

async function ask(url: string, proxy: string): Promise<void> {
  const agent = new SocksProxyAgent(`socks5h://${proxy}`);
  agent.protocol = 'http:'; // Otherwise it is read from a stack trace.
  const sent = get(url, { agent });
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  for await (const piece of answer) void piece;
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

/** Makes all proxies due, and starts this many batches. */
async function prepare(): Promise<void> {
  await transact(context.database, async (db) => {
    await execute(db, `update proxy set next_check_at = now() where next_check_at > now()`);
    await execute(db, `update proxy_check_slot set busy_until = '-infinity'`);
    const slots = await lockFreeSlots(db);
    for (const slot of slots.slice(0, BATCHES)) await nextBatch(db, slot);
  });
}

if (process.argv[2] === 'bare') serveLoops(bare);
else serveLoops((loop) => batchOf(loop + 1), prepare);
