/**
 * A deployment of deploy/hosts under faults of whole hosts, in a network of its own. Prints what it
 * does, and then its report as one line of JSON.
 */
import { join } from 'node:path';

import { runAudit } from '../../shared/composition/audit.ts';
import { eventually, noteRunning } from '../platform/eventually.ts';
import { patience } from '../platform/pace.ts';
import { buildLastRelease, buildThisRelease } from '../releases/releases.ts';
import { openApplicationHosts } from './application_hosts.ts';
import { openBackups } from './backups.ts';
import { openCallers } from './callers.ts';
import { rendered } from './configuration.ts';
import { openDatabaseHosts } from './database_hosts.ts';
import { lastLines } from './last_lines.ts';
import { openNetworks } from './network.ts';
import { findPrograms } from './programs.ts';

const CALLERS = 6;
/** Purchases that follow a fault before the next one. */
const BOUGHT = 30;
/** Half of it is the longest that one wait may take. */
const TIME_MS = 240_000;

/** Findings of a drill of hosts. */
export interface Report {
  readonly acknowledged: number;
  /** Orders that a caller was told of, and that are not in the database under its key. */
  readonly lost: number;
  /** Orders that no caller was told of. */
  readonly untold: number;
  /** Purchases while two of the three database hosts were away. */
  readonly withoutQuorum: number | undefined;
  readonly differences: readonly unknown[];
  /**
   * In a restored database: orders from before its moment that are not there, and those from after
   * it that are.
   */
  readonly restored: { readonly missing: number; readonly later: number } | undefined;
  /** By fault, the longest time without a purchase, in seconds. */
  readonly outages: Readonly<Record<string, number>>;
  readonly statuses: Readonly<Record<string, number>>;
}

const [, , folder = '', variant = 'synchronous'] = process.argv;
const isSynchronous = variant === 'synchronous';
const startedAt = performance.now();
const say = (text: string) =>
  console.log(`      ${((performance.now() - startedAt) / 1_000).toFixed(0)} s: ${text}`);

noteRunning({ timeout: () => patience(TIME_MS) });
process.on('exit', (code) => {
  if (code !== 0) console.log(lastLines(folder));
});
const programs = await findPrograms();
const thisRelease = buildThisRelease();
const lastRelease = isSynchronous ? buildLastRelease(join(folder, 'last_release')) : undefined;
openNetworks();
const databases = await openDatabaseHosts(programs, folder, { isSynchronous });
await databases.asSuperuser('postgres', async (client) => {
  // One by one: a database is not made in a transaction.
  const statements = rendered('roles.sql', databases.passwords).replaceAll(/^--.*$/gm, '');
  for (const one of statements.split(';').filter((text) => text.trim())) await client.query(one);
});
const backups = openBackups(programs, databases);
await backups.create();
say('three database hosts');
const application = await openApplicationHosts(programs, databases, folder);
const first = lastRelease ?? thisRelease;
await application.migrate(first);
await application.startAll(first);
const callers = await openCallers(application.url, CALLERS);
await callers.bought(BOUGHT);
say(`two application hosts with ${first.name}, a router, ${CALLERS} callers`);

// A standby that had not begun to follow would be no candidate, and nothing would take over.
await databases.whole();
const outages: Record<string, number> = {};
async function fault(name: string, act: () => Promise<unknown>): Promise<void> {
  const at = performance.now();
  await act();
  await callers.bought(BOUGHT);
  outages[name] = callers.outageSince(at);
  say(`${name}: ${outages[name]} s without a purchase`);
}
if (isSynchronous) {
  const lost = await databases.leader();
  await fault("the primary's host loses its power", async () => {
    await databases.hostNamed(lost).powerOff();
    await databases.replaced(lost);
  });
  await databases.start(lost);
  await databases.whole();
  say(`${lost} is back`);
}

const cut = databases.hostNamed(await databases.leader());
await fault('the primary is cut off from the other servers, and back', async () => {
  cut.cut('cluster');
  await databases.replaced(cut.name);
  await callers.bought(BOUGHT);
  cut.heal('cluster');
});
await databases.whole();
say('healed');

let withoutQuorum: number | undefined;
if (isSynchronous) {
  const [first, second] = databases.others(await databases.leader());
  await fault('two of three database hosts are away, and one is back', async () => {
    for (const host of [first!, second!]) host.cut('cluster');
    await databases.withoutPrimary();
    await callers.refused(2 * CALLERS); // What was answered before has arrived by then.
    const before = callers.acknowledged.length;
    await callers.refused(BOUGHT);
    withoutQuorum = callers.acknowledged.length - before;
    first!.heal('cluster');
  });
  second!.heal('cluster');
  await databases.whole();
  say('all three are back');
  await fault('the primary of Redis is killed', async () => {
    const { withoutRedis, name } = await databases.redisPrimary();
    await withoutRedis(async () => {
      await eventually(
        () => databases.redisPrimary(),
        (primary) => primary.name !== name,
      );
      await callers.bought(BOUGHT);
    });
  });
  await databases.whole();
  await fault('the primary is switched over', () => databases.switchover());
  if (lastRelease) await application.migrate(thisRelease);
  await fault('every process is replaced by one of this release', () =>
    application.roll(thisRelease, say),
  );
}

let restored: Report['restored'];
if (isSynchronous) {
  await backups.take();
  const before = callers.acknowledged.map(({ orderId }) => orderId);
  const moment = await backups.moment();
  // A call that was open at that moment may have got its order before it.
  const asked = callers.acknowledged.length + CALLERS;
  await callers.bought(BOUGHT);
  const after = callers.acknowledged.slice(asked).map(({ orderId }) => orderId);
  const found = new Set(await backups.ordersAt(moment));
  restored = {
    missing: before.filter((id) => !found.has(id)).length,
    later: after.filter((id) => found.has(id)).length,
  };
  say(`restored to a moment: ${found.size} orders`);
}

await callers.stop();
const orders = await databases.asSuperuser('market', async (client) => {
  const { rows } = await client.query<{ id: string; key: string }>(
    'select o.id, j.key from orders o join job j on j.id = o.job_id',
  );
  return new Map(rows.map(({ id, key }) => [key, Number(id)]));
});
const { acknowledged } = callers;
const { differences } = await runAudit(await databases.applicationUrl());
const report: Report = {
  acknowledged: acknowledged.length,
  lost: acknowledged.filter(({ key, orderId }) => orders.get(key) !== orderId).length,
  untold: orders.size - acknowledged.filter(({ key }) => orders.has(key)).length,
  withoutQuorum,
  differences,
  restored,
  outages,
  statuses: Object.fromEntries(callers.statuses),
};
console.log(JSON.stringify(report));
process.exit(0);
