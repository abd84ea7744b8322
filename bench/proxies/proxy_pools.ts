import { join } from 'node:path';

import { execute } from '../../shared/platform/rows.ts';
import { reading } from '../measure/callers.ts';
import { measureHttp } from '../measure/http_callers.ts';
import type { Slice } from '../measure/statistics.ts';
import type { Deployments } from '../setup/deployments.ts';
import { builtFolder } from '../setup/platform.ts';
import { makeBuyers } from '../setup/populate.ts';

const BUYERS = 100;
const CALLERS = 16;
/** Checks at once: as many as two batches of the platform. */
const CHECKS_AT_ONCE = 500;

/** An API with `proxies` on sale, and purchases of lists of a hundred. */
export async function openPool(deployments: Deployments, proxies: number) {
  const deployment = await deployments.open(`pool_${proxies}`);
  const owner = await deployment.admin();
  const buyers = await makeBuyers(deployment, owner, BUYERS);
  await execute(
    owner,
    `insert into proxy (ip_port, source, state, recent, checks, country_code, exit_address,
                        latency_ms, checked_at, passed_at, next_check_at)
     select '10.' || n / 65536 || '.' || (n / 256) % 256 || '.' || n % 256 || ':1080', 'bench',
            case when n % 2 = 0 then 'hot' else 'warm' end, 1, 1,
            chr(65 + n % 146 / 26) || chr(65 + n % 146 % 26), '10.0.0.1', 100, now(), now(),
            'infinity'
       from generate_series(1, $1::int) as n`,
    [proxies],
  );
  await execute(owner, 'vacuum analyze proxy');
  await owner.destroy();
  const api = await deployment.start(join(await builtFolder(), 'api.js'));
  const pids = { api: api.pid, postgres: deployment.pids.postgres };
  const newCaller = reading({ buyers }, '/api/v1/proxy/list?limit=100');
  return () => measureHttp({ port: api.ready.port, pids, callers: CALLERS, ms: 1_000, newCaller });
}

/** Checks of ten thousand proxies, which are all one relay on loopback. */
export async function openProxyChecks(deployments: Deployments) {
  const deployment = await deployments.open('checks');
  const relay = await deployment.start('bench/proxies/proxy_relay.ts');
  const { port } = relay.ready;
  const owner = await deployment.admin();
  await execute(
    owner,
    `insert into proxy (ip_port, source)
     select '127.1.' || n / 256 || '.' || n % 256 || ':' || $1::int, 'bench'
       from generate_series(1, 10000) as n`,
    [port],
  );
  await execute(owner, 'vacuum analyze proxy');
  await owner.destroy();
  const env = {
    EGRESS_ALLOW: '127.0.0.0/8',
    PROXY_JUDGES: `http://127.0.0.1:${port}/`,
    PROXY_PAGES: `http://127.0.0.1:${port}/page`,
  };
  const start = (...args: string[]) =>
    deployment.start('bench/proxies/proxy_checks.ts', { env, args });
  const [ours, bare] = await Promise.all([start(), start('bare')]);
  const { postgres } = deployment.pids;
  return {
    // Results are stored, which is work of PostgreSQL.
    ours: () => ours.ask<Slice>({ loops: 2, ms: 1_000, pids: { postgres } }),
    bare: () => bare.ask<Slice>({ loops: CHECKS_AT_ONCE, ms: 1_000, pids: {} }),
  };
}
