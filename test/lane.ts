import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

import { checkoutFolder } from '../local/paths.ts';
import { COMPANIES, companyOf } from '../local/test_run/test_files.ts';
import type { Company } from '../local/test_run/test_files.ts';
import type { FileTime } from '../local/test_run/times.ts';
import { noteRunning } from './platform/eventually.ts';

// Loaded first by every mocha process that runs test files. Of `npm test` each is a lane; mocha's
// parallel mode runs the hooks below once for each file.

const { TEST_LANES, TEST_TIMES, MOCHA_WORKER_ID } = process.env;
const lanes = TEST_LANES ? (JSON.parse(TEST_LANES) as Record<string, string>[]) : [];
const number = lanes.length > 0 ? Number(MOCHA_WORKER_ID ?? 0) % lanes.length : 0;
Object.assign(process.env, lanes[number]);

let file = '';
let startedAt = 0;
let openBefore: readonly string[] = [];
let turn: pg.Client | undefined;

export const mochaHooks = {
  async beforeAll(this: Mocha.Context) {
    this.timeout(0);
    process.on('unhandledRejection', fail);
    const suites = this.test?.parent?.suites ?? [];
    const files = suites.map((suite) => relative(checkoutFolder, suite.file ?? ''));
    file = files[0] ?? '';
    turn = await waitForTurn(files.map(companyOf));
    openBefore = process.getActiveResourcesInfo();
    startedAt = performance.now();
  },
  beforeEach(this: Mocha.Context) {
    noteRunning(this.currentTest);
  },
  afterEach() {
    noteRunning(undefined);
  },
  async afterAll(this: Mocha.Context) {
    this.timeout(0);
    const time: FileTime = { file, lane: number, ms: performance.now() - startedAt };
    if (TEST_TIMES) appendFileSync(TEST_TIMES, `${JSON.stringify(time)}\n`);
    try {
      await nothingElseOpen();
    } finally {
      process.off('unhandledRejection', fail);
      await turn?.end();
    }
  },
};

/** Mocha 12 notices what is thrown, and ignores rejections that nobody handles, except its own. */
function fail(reason: unknown): void {
  const isOfMocha = String((reason as { code?: unknown } | null)?.code).startsWith('ERR_MOCHA_');
  if (!isOfMocha) throw reason;
}

/** The lock of whoever waits for a turn; those of the companies come after it. */
const TURN = 0;

/**
 * Locks that all lanes share: while a file runs it has that of its company, together with others of
 * it unless it runs alone. Who comes waits, one at a time, until nobody has one of another company.
 * The locks end with the connection, so also with this process.
 */
async function waitForTurn(companies: readonly Company[]): Promise<pg.Client | undefined> {
  const [first] = lanes;
  if (!first) return undefined;
  const own = COMPANIES.findLast((company) => companies.includes(company)) ?? 'lanes';
  const client = new pg.Client({ connectionString: first.TEST_POSTGRES_URL! });
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [TURN]);
  for (const company of COMPANIES) {
    const lock = COMPANIES.indexOf(company) + 1;
    const isShared = company === own && company !== 'alone';
    await client.query(`select pg_advisory_lock${isShared ? '_shared' : ''}($1)`, [lock]);
    if (company !== own) await client.query('select pg_advisory_unlock($1)', [lock]);
  }
  await client.query('select pg_advisory_unlock($1)', [TURN]);
  return client;
}

const CLOSE_MS_MAX = 10_000;

/**
 * A connection, server or timer that a test leaves open would disturb those after it. Open all the
 * time are the lock, the time limit of the hook, and what mocha uses.
 */
async function nothingElseOpen(): Promise<void> {
  const deadline = performance.now() + CLOSE_MS_MAX;
  for (;;) {
    const open = process.getActiveResourcesInfo();
    for (const name of openBefore) {
      const n = open.indexOf(name);
      if (n >= 0) open.splice(n, 1);
    }
    if (open.length === 0) return;
    if (performance.now() > deadline)
      throw new Error(`${file} left these open: ${open.join(', ')}`);
    await sleep(20);
  }
}
