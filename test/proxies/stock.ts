import type { TestPlatform } from '../harness.ts';

/** Proxies in the pool as if they had been checked just now. No check would go to them. */
export async function stock(
  platform: TestPlatform,
  { count = 1, country = 'US', state = 'hot' } = {},
): Promise<number[]> {
  const rows: { id: number }[] = await platform.query(
    `insert into proxy (ip_port, source, state, recent, checks, country_code, exit_address,
                        latency_ms, checked_at, passed_at, next_check_at)
     select '10.51.' || (n / 256) % 256 || '.' || n % 256 || ':' || 1000 + n / 65536, 'test', $2,
            1, 1, $3, '198.51.100.7', 100, now(), now(), 'infinity'
       from (select nextval(pg_get_serial_sequence('proxy', 'id')) as n
               from generate_series(1, $1::int)) numbered
     returning id`,
    [count, state, country],
  );
  return rows.map(({ id }) => id);
}
