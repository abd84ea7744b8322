import { join } from 'node:path';

import { request } from '../measure/http_callers.ts';
import type { Slice } from '../measure/statistics.ts';
import { makeBuyers } from '../setup/populate.ts';
import { anyOf } from '../baselines/raw_sql.ts';
import { measured, WARM_MS } from '../measure/slices.ts';
import type { Yard } from '../setup/deployments.ts';

const BUYERS = 100;
const CALLERS = 16;

/** An API with a pool of so many proxies on sale, and lists of a hundred bought from it. */
export async function openPool(yard: Yard, built: string, proxies: number) {
  const market = await yard.open(`pool_${proxies}`);
  const owner = await yard.admin(market.name);
  const buyers = await makeBuyers(market, owner, BUYERS);
  await owner.query(
    `insert into proxy (ip_port, source, state, recent, checks, country_code, exit_address,
                        latency_ms, checked_at, passed_at, next_check_at)
     select '10.' || n / 65536 || '.' || (n / 256) % 256 || '.' || n % 256 || ':1080', 'bench',
            case when n % 2 = 0 then 'hot' else 'warm' end, 1, 1,
            chr(65 + n % 146 / 26) || chr(65 + n % 146 % 26), '10.0.0.1', 100, now(), now(),
            'infinity'
       from generate_series(1, $1::int) as n`,
    [proxies],
  );
  await owner.query('vacuum analyze proxy');
  await owner.end();
  const api = await yard.start(join(built, 'api.js'), market);
  const pids = { api: api.pid, postgres: yard.pids.postgres };
  const next = () =>
    request('GET /api/v1/proxy/list?limit=100', { authorization: `Bearer ${anyOf(buyers).key}` });
  return () => measured({ port: api.said.port, pids, callers: CALLERS, ms: 1_000, next });
}

/** Checks of ten thousand proxies that are all one relay on loopback. */
export async function startProxyChecks(yard: Yard) {
  const market = await yard.open('checks');
  const relay = await yard.start('bench/proxies/proxy_relay.ts', market);
  const { port } = relay.said;
  const owner = await yard.admin(market.name);
  await owner.query(
    `insert into proxy (ip_port, source)
     select '127.1.' || n / 256 || '.' || n % 256 || ':' || $1::int, 'bench'
       from generate_series(1, 10000) as n`,
    [port],
  );
  await owner.query('vacuum analyze proxy');
  await owner.end();
  const env = {
    ...market.env,
    EGRESS_ALLOW: '127.0.0.0/8',
    PROXY_JUDGES: `http://127.0.0.1:${port}/`,
  };
  const checks = await yard.start('bench/proxies/proxy_checks.ts', { ...market, env });
  return (what: 'bare' | 'ours') => () => checks.ask<Slice>({ what, warmMs: WARM_MS, ms: 1_000 });
}
