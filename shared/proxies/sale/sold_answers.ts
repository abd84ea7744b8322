import assert from 'node:assert';
import type { EntityManager } from 'typeorm';

import type { Sold } from '../proxies.ts';

/** An answer about sold proxies, as proxy_list gives it. */
interface Answer {
  readonly proxies: readonly Sold[];
  readonly count: number;
  readonly charged: number;
}

/** What of it is stored for repeats: everything but what was bought. */
export const withoutPlaces = (answer: Answer): object => ({
  ...answer,
  proxies: answer.proxies.map((proxy) => ({ ...proxy, ip_port: '' })),
});

/** The same bytes again. Who is forgotten by the pool was last sold a week ago. */
export async function withPlaces<A extends Answer>(db: EntityManager, kept: object): Promise<A> {
  const answer = kept as A;
  const rows: { id: number; ip_port: string }[] = await db.query(
    'select id, ip_port from proxy where id = any ($1)',
    [answer.proxies.map(({ id }) => id)],
  );
  const places = new Map(rows.map((row) => [String(row.id), row.ip_port]));
  const proxies = answer.proxies.map((proxy) => {
    const place = places.get(proxy.id);
    assert(place !== undefined, 'a proxy that was sold in the last days is still known');
    return { ...proxy, ip_port: place };
  });
  return { ...answer, proxies };
}
