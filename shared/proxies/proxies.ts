import type { EntityManager } from 'typeorm';

import { OneOf, Output, Text, Time, Type } from '../kernel/schema.ts';
import { ON_SALE } from './pool/pool.ts';

/** A proxy as it is sold. */
export const ProxyView = Output({
  id: Text(1, 10, 'An integer. Pass it to report_proxy when the proxy does not work.'),
  ip_port: Text(9, 60, 'host:port. Use it as socks5h://host:port.'),
  country_code: Text(2, 2, 'ISO 3166 code of the address it leads out at; ZZ: not known.'),
  protocol: OneOf(['socks5'], 'What it speaks.'),
  latency_ms: Type.Integer({ description: 'How long our last check through it took.' }),
  last_checked_at: Time('When that was.'),
});

export interface Sold {
  readonly id: string;
  readonly ip_port: string;
  readonly country_code: string;
  readonly protocol: 'socks5';
  readonly latency_ms: number;
  readonly last_checked_at: string;
}

/** The largest id PostgreSQL's int can hold. */
const ID_MAX = 2 ** 31 - 1;

/** An id in either of its two forms. */
export const ProxyId = Type.Union(
  [
    Type.Integer({ minimum: 1, maximum: ID_MAX, description: 'As an integer.' }),
    Type.String({ pattern: '^[1-9]\\d{0,9}$', maxLength: 10, description: 'As a string.' }),
  ],
  { description: 'The id of a proxy.' },
);

export const Country = Type.String({
  pattern: '^[A-Za-z]{2}$',
  maxLength: 2,
  description: 'ISO 3166 code of two letters. Absent: any, from the hot pool.',
});

/** Of those that are asked for, what is on sale at this moment, in the order asked. */
export async function onSale(
  db: EntityManager,
  ids: readonly number[],
  { country, hot }: { country?: string | undefined; hot?: boolean } = {},
): Promise<Sold[]> {
  const rows: Row[] = await db.query(
    `select id, ip_port, country_code, protocol, latency_ms, checked_at from proxy
      where id = any ($1) and ${ON_SALE}
        and ($2::text is null or country_code = $2) and (not $3 or state = 'hot')`,
    [ids, country ?? null, hot ?? false],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? soldOf(row) : [];
  });
}

interface Row {
  readonly id: number;
  readonly ip_port: string;
  readonly country_code: string;
  readonly protocol: 'socks5';
  readonly latency_ms: number;
  readonly checked_at: Date;
}

const soldOf = ({ id, checked_at, ...row }: Row): Sold => ({
  id: String(id),
  ip_port: row.ip_port,
  country_code: row.country_code,
  protocol: row.protocol,
  latency_ms: row.latency_ms,
  last_checked_at: checked_at.toISOString(),
});

/** As a number; one that no proxy can have for ids beyond the last. */
export const numberOf = (id: number | string): number => (Number(id) > ID_MAX ? 0 : Number(id));
