import type { DataSource } from 'typeorm';

import { PLATFORM } from '../../shared/kernel/caller.ts';
import { closeContext, openContext } from '../../shared/composition/open_context.ts';
import { forgetOldJobs } from '../../shared/domains/jobs/forget_old_jobs.ts';
import { forgetOldRows } from '../../shared/domains/jobs/forget_old_rows.ts';
import { newJobId } from '../../shared/jobs/jobs.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { perform } from '../../shared/performing/perform.ts';
import { column, execute, row } from '../../shared/platform/rows.ts';
import { forgetOldVersions } from '../../shared/domains/products/forget_old_versions.ts';
import { checkDueProxies } from '../../shared/domains/proxies/checks/check_due_proxies.ts';
import { cpuMeter } from '../measure/cpu_meter.ts';
import type { Deployment } from '../setup/deployments.ts';

/** Maximum rows that one transaction of a timer deletes. */
const BATCH = 5_000;
const BATCHES = 6;

interface Deletion {
  readonly table: string;
  /** Operation that deletes its old rows. */
  readonly operation: AnyOperation;
  /** Adds $1 rows that stay. Absent: past orders have left as many. */
  readonly young?: string;
  /** Adds $1 old rows, with ids above $2 and below those of the young ones. */
  readonly old: string;
}

const AGENT = '(select min(id) from agent)';

/** Rows of the application that timers delete after some time (docs/data.md). */
export const DELETIONS: readonly Deletion[] = [
  {
    table: 'job',
    operation: forgetOldJobs,
    old: `insert into job (id, operation, agent_id, root_id, input, input_hash, request_id,
                           created_at, status, http_status, answer, finished_at)
          select uuidv7(interval '-5 days'), 'purchase_product', 1, 1, '{"product_id":1}',
                 sha256('1'), 'old', now() - interval '5 days', 'complete', 200, '{"order_id":1}',
                 now() - interval '5 days'
            from generate_series($2::int + 1, $2::int + $1::int)`,
  },
  {
    table: 'event',
    operation: forgetOldRows,
    old: `insert into event (id, agent_id, root_id, type, object_kind, object_id, status, data,
                             occurred_at)
          select n - 1000000, agent, agent, 'order.created', 'order', 1, 'escrow',
                 '{"order_id":1}', now() - interval '31 days'
            from generate_series($2::int + 1, $2::int + $1::int) n, ${AGENT} as of(agent)`,
  },
  {
    table: 'opening',
    operation: forgetOldRows,
    young: openings({ from: 0, opened: 'now()' }),
    old: openings({ from: -1_000_000, opened: `now() - interval '401 days'` }),
  },
  {
    table: 'proxy_sale',
    operation: forgetOldRows,
    young: proxySales({ from: 1_000_000, sold: 'now()' }),
    old: proxySales({ from: -1_000_000, sold: `now() - interval '8 days'` }),
  },
  {
    table: 'api_key',
    operation: forgetOldRows,
    young: apiKeys({ name: 'young', revoked: 'null::timestamptz' }),
    old: apiKeys({ name: 'old', revoked: `now() - interval '91 days'` }),
  },
  {
    table: 'product_version',
    operation: forgetOldVersions,
    young: versions({ from: 1, superseded: 'now()' }),
    old: versions({ from: -100_000, superseded: `now() - interval '31 days'` }),
  },
  {
    table: 'proxy',
    operation: checkDueProxies,
    young: proxies({ name: '10', state: 'quarantined', since: 'now()' }),
    old: proxies({ name: '11', state: 'dead', since: `now() - interval '8 days'` }),
  },
];

/**
 * PostgreSQL's CPU in µs for each deleted row of a table with this many `rows` that stay. No
 * program may be running.
 */
export async function measureDeletion(
  { admin, config, pids }: Deployment,
  { table, operation, young, old }: Deletion,
  rows: number,
): Promise<number> {
  const owner = await admin();
  if (young) await execute(owner, young, [rows, 0]);
  await execute(owner, `vacuum analyze ${table}`);
  await execute(owner, 'checkpoint');
  const context = await openContext(config, { process: 'deletions' });
  let used = 0;
  let deleted = 0;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    await execute(owner, old, [BATCH, batch * BATCH]);
    const before = await countOf(owner, table);
    const { snapshot, perCall } = cpuMeter({ postgres: pids.postgres });
    snapshot();
    const now = context.clock.now();
    const call = { caller: PLATFORM, key: newJobId(now), now, requestId: 'bench' };
    await perform(context, operation, {}, call);
    snapshot();
    used += perCall(1).postgres!;
    deleted += before - (await countOf(owner, table));
  }
  await closeContext(context);
  await owner.destroy();
  if (deleted < (BATCH * BATCHES) / 2) {
    throw new Error(`of ${BATCH * BATCHES} old rows of ${table} ${deleted} were deleted`);
  }
  return used / deleted;
}

async function countOf(owner: DataSource, table: string): Promise<number> {
  const sql = `select count(*)::int as count from ${table}`;
  return (await row(owner, { count: column.int }, sql)).count;
}

function openings({ from, opened }: { from: number; opened: string }) {
  return `
    insert into opening (id, agent_id, root_id, object_kind, object_id, first, request_id,
                         opened_at)
    overriding system value
    select ${from} + n, agent, agent, 'order', n, false, 'bench', ${opened}
      from generate_series($2::int + 1, $2::int + $1::int) n, ${AGENT} as of(agent)`;
}

function proxySales({ from, sold }: { from: number; sold: string }) {
  return `
    with charged as (
      insert into charge (id, call_id, agent_id, root_id, service, units, unit_price, credit, cash,
                          spent_on)
      overriding system value
      select ${from} + n, gen_random_uuid(), agent, agent, 'proxy', 1, 1000, 0, 1000, current_date
        from generate_series($2::int + 1, $2::int + $1::int) n, ${AGENT} as of(agent)
      returning id, agent_id)
    insert into proxy_sale (charge_id, agent_id, proxy_ids, sold_at)
    select id, agent_id, '{1}', ${sold} from charged`;
}

function apiKeys({ name, revoked }: { name: string; revoked: string }) {
  return `
    insert into api_key (public_id, agent_id, root_id, name, scopes, hash, pepper_id, revoked_at)
    select '${name}' || n, agent, agent, '${name}', '{read}', sha256(n::text::bytea), 'bench',
           ${revoked}
      from generate_series($2::int + 1, $2::int + $1::int) n, ${AGENT} as of(agent)`;
}

/** Versions of the products in turn. */
function versions({ from, superseded }: { from: number; superseded: string }) {
  return `
    insert into product_version (product_id, version, title, price, content, superseded_at)
    select ids[1 + n % cardinality(ids)], ${from} + n, 'A key to a platform', 10000,
           decode(repeat('5a', 180), 'hex'), ${superseded}
      from generate_series($2::int + 1, $2::int + $1::int) n,
           (select array_agg(id) as ids from product) p`;
}

function proxies({ name, state, since }: { name: string; state: string; since: string }) {
  return `
    insert into proxy (ip_port, source, state, state_since, next_check_at)
    select '${name}.' || n / 65536 || '.' || n / 256 % 256 || '.' || n % 256 || ':1080', 'bench',
           '${state}', ${since}, 'infinity'
      from generate_series($2::int + 1, $2::int + $1::int) n`;
}
