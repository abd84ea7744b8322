import assert from 'node:assert';

import { column, rows, type Database } from '../../../platform/rows.ts';
import type { SoldProxy } from '../proxies.ts';

/** An answer about sold proxies, as proxy_list gives it. */
interface Answer {
  readonly proxies: readonly SoldProxy[];
  readonly count: number;
  readonly charged: number;
}

/** The part of an answer that is stored for repeats: everything but the addresses bought. */
export const redactAddresses = (answer: Answer): object => ({
  ...answer,
  proxies: answer.proxies.map((proxy) => ({ ...proxy, ip_port: '', exit_ip: '' })),
});

/**
 * Restores the same bytes, but for an exit that has changed since. A proxy that the pool has
 * deleted was last sold a week ago.
 */
export async function rehydrateAddresses<A extends Answer>(
  db: Database,
  redacted: object,
): Promise<A> {
  const answer = redacted as A;
  const found = await rows(
    db,
    { id: column.id, ip_port: column.text, exit_ip: column.text },
    'select id, ip_port, host(exit_address) as exit_ip from proxy where id = any ($1)',
    [answer.proxies.map(({ id }) => id)],
  );
  const addresses = new Map(found.map((proxy) => [String(proxy.id), proxy]));
  const proxies = answer.proxies.map((proxy) => {
    const address = addresses.get(proxy.id);
    assert(address !== undefined, 'a proxy that was sold in the last days is still known');
    return { ...proxy, ip_port: address.ip_port, exit_ip: address.exit_ip };
  });
  return { ...answer, proxies };
}
