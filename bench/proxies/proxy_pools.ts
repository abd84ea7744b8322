import { join } from 'node:path';

import { request } from '../measure/http_callers.ts';
import type { Slice } from '../measure/statistics.ts';
import { execute } from '../../shared/platform/rows.ts';
import { makeBuyers } from '../setup/populate.ts';
import { anyOf } from '../baselines/raw_sql.ts';
import { measureHttp, WARM_MS } from '../measure/slices.ts';
import type { Deployments } from '../setup/deployments.ts';

const BUYERS = 100;
const CALLERS = 16;

/** An API whose pool has `proxies` on sale, and purchases of lists of a hundred. */
export async function openPool(deployments: Deployments, built: string, proxies: number) {
  const deployment = await deployments.open(`pool_${proxies}`);
  const owner = await deployments.admin(deployment.name);
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
  const api = await deployments.start(join(built, 'api.js'), deployment);
  const pids = { api: api.pid, postgres: deployments.pids.postgres };
  const next = () =>
    request('GET /api/v1/proxy/list?limit=100', { authorization: `Bearer ${anyOf(buyers).key}` });
  return () => measureHttp({ port: api.ready.port, pids, callers: CALLERS, ms: 1_000, next });
}

/** Checks of ten thousand proxies that are all one relay on loopback. */
export async function startProxyChecks(deployments: Deployments) {
  const deployment = await deployments.open('checks');
  const relay = await deployments.start('bench/proxies/proxy_relay.ts', deployment);
  const { port } = relay.ready;
  const owner = await deployments.admin(deployment.name);
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
    ...deployment.env,
    EGRESS_ALLOW: '127.0.0.0/8',
    PROXY_JUDGES: `http://127.0.0.1:${port}/`,
  };
  const checks = await deployments.start('bench/proxies/proxy_checks.ts', { ...deployment, env });
  return (what: 'bare' | 'ours') => () => checks.ask<Slice>({ what, warmMs: WARM_MS, ms: 1_000 });
}
