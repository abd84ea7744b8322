import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { DataSource } from 'typeorm';

import { column, execute, row, rows } from '../shared/platform/rows.ts';
import { trading } from './measure/callers.ts';
import { measureHttp } from './measure/http_callers.ts';
import { table } from './measure/statistics.ts';
import { withDeployments } from './setup/deployments.ts';
import { machineOf } from './setup/machine.ts';
import { openPlatform } from './setup/platform.ts';

/** Units of each of 1 000 products. */
const UNITS = 100;
const CALLERS = 32;
const SLICE_MS = 5_000;
const YEAR_SECONDS = 365 * 86_400;
/** Deals a second that the forecast of a year is made for. */
const RATES = [1, 10, 100];

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: { deals: { type: 'string', default: '20000' } },
});

interface Size {
  readonly table: string;
  readonly heap: number;
  readonly indexes: number;
}

/**
 * `npm run bench:sizes`: bytes that a deal leaves in each table when the seller was paid and the
 * receipt is signed, for how long, as docs/data.md says, and what that makes in a year. Goods that
 * are opened leave a row of `opening` besides, and a seller's stock is there before.
 */
await withDeployments(async (deployments) => {
  const name = 'sizes';
  const platform = await openPlatform(deployments, { name, units: UNITS, pastOrders: 0 });
  const { deployment, population, port } = platform;
  const owner = await deployment.admin();
  await allSigned(owner);
  const before = await sizesOf(owner);
  const newCaller = trading(population, population.products);
  while ((await dealsOf(owner)) < Number(options.deals)) {
    await measureHttp({ port, pids: {}, callers: CALLERS, ms: SLICE_MS, newCaller });
  }
  await allSigned(owner);
  const deals = await dealsOf(owner);
  await platform.stop();
  const after = await sizesOf(owner);
  await owner.destroy();

  const lives = livesByTable();
  const grown = after
    .map((now) => {
      const then = before.find((one) => one.table === now.table);
      const heap = (now.heap - (then?.heap ?? 0)) / deals;
      const indexes = (now.indexes - (then?.indexes ?? 0)) / deals;
      return { table: now.table, heap, indexes, lives: lives.get(now.table) ?? 'not said' };
    })
    .filter(({ heap, indexes }) => heap + indexes >= 1)
    .toSorted((a, b) => b.heap + b.indexes - a.heap - a.indexes);
  const inAll = (some: typeof grown) =>
    some.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0);
  // Rows of a tree, an agent or a day do not grow with their deals.
  const stay = grown.filter(({ lives: time }) => /^for ever(?!; one row)/.test(time));
  const shown = grown.map(({ table: of, heap, indexes, lives: time }) => {
    return [of, heap.toFixed(0), indexes.toFixed(0), time.split(/[:;]/)[0]!];
  });
  console.log(table([['bytes a deal', 'rows', 'indexes', 'they live'], ...shown]));
  const forEver = inAll(stay);
  console.log(
    `${deals} deals: ${inAll(grown).toFixed(0)} bytes each, ${forEver.toFixed(0)} for ever`,
  );
  for (const rate of RATES) {
    const year = (forEver * rate * YEAR_SECONDS) / 1e12;
    console.log(`${rate} deals a second make ${year.toFixed(3)} TB in a year that stay`);
  }
  console.log(await machineOf(deployment));
});

/** Bytes of each table with what is stored beside its rows, and of its indexes, without waste. */
async function sizesOf(owner: DataSource): Promise<readonly Size[]> {
  await execute(owner, 'vacuum full analyze');
  return rows(
    owner,
    { table: column.text, heap: column.int, indexes: column.int },
    `select c.oid::regclass::text as table, pg_table_size(c.oid) as heap,
            pg_indexes_size(c.oid) as indexes
       from pg_class c
      where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('public', 'ledger')`,
  );
}

async function dealsOf(owner: DataSource): Promise<number> {
  const sql = `select count(*) as deals from orders where status = 'completed'`;
  return (await row(owner, { deals: column.int }, sql)).deals;
}

/** Timers sign what is settled and add it to the records of its parties. */
async function allSigned(owner: DataSource): Promise<void> {
  const sql = `select (select max(id) from ledger.transfer) - least(s.deals_to, r.id) as left
                 from receipt_watermark s cross join record_watermark r`;
  while ((await row(owner, { left: column.int }, sql)).left > 0) await sleep(500);
}

/** How long the rows of each table live, by docs/data.md. */
function livesByTable(): ReadonlyMap<string, string> {
  const page = readFileSync('docs/data.md', 'utf8');
  const lines = page.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    lines.flatMap((line) => {
      const cells = line.slice(0, -' |'.length).split(' | ');
      const names = [...cells[0]!.matchAll(/`([\w.]+)`/g)];
      return names.map(([, name]) => [name!, cells.at(-1)!] as const);
    }),
  );
}
