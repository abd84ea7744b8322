import type { EntityManager } from 'typeorm';

import { Nullable, Output, Text, Time, Type, type Static } from '../../../kernel/schema.ts';
import { column, execute, row } from '../../../platform/rows.ts';
import type { SourceResult } from '../gateway.ts';
import type { Listing } from './listing.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** The last answer of a source. */
export const SourceReport = Output('SourceReport', {
  source: Text(1, 300, 'Host and path, or the name of the file.'),
  fault: Nullable(Text(1, 300, 'The fault, if nothing was taken from it.')),
  listed: Count('Good entries.'),
  listed_before: Count('Good entries of the last answer that had any.'),
  added: Count('Proxies new to the pool. They are sold once they pass a check.'),
  refused: Output({
    duplicate: Count('Listed twice.'),
    unreadable: Count('Without an address and a port.'),
    password: Count('With a password.'),
    protocol: Count('Not SOCKS5.'),
    not_public: Count('Private, reserved or otherwise not public.'),
  }),
  asked_at: Time('Time of the answer.'),
});

/** Nothing was refused, by reason. */
export const NONE_REFUSED = {
  duplicate: 0,
  unreadable: 0,
  password: 0,
  protocol: 0,
  not_public: 0,
};
const ROWS_MAX = 10_000;

type Entry = readonly [address: string, country: string];

/**
 * Adds the proxies of a source to the pool, unproven. It never removes any: only checks do, so a
 * source that fails, lies or shrinks cannot harm the pool.
 */
export async function addListing(
  db: EntityManager,
  result: SourceResult,
  now: Date,
): Promise<Static<typeof SourceReport>> {
  const { source } = result;
  const { listed_before } = await row(
    db,
    { listed_before: column.int },
    // Locks the source: two refreshes at once would add the same entries in different orders.
    `insert into proxy_source (name, asked_at, refused) values ($1, $2, '{}')
     on conflict (name) do update set asked_at = excluded.asked_at
     returning case when listed > 0 then listed else listed_before end as listed_before`,
    [source, now],
  );
  const fault = 'fault' in result ? result.fault.slice(0, 300) : null;
  const entries: Listing['entries'] = 'listing' in result ? result.listing.entries : new Map();
  const refused = 'listing' in result ? result.listing.refused : NONE_REFUSED;
  let added = 0;
  let some: Entry[] = [];
  let left = entries.size;
  for (const entry of entries) {
    some.push(entry);
    left -= 1;
    if (some.length < ROWS_MAX && left > 0) continue;
    added += await insertNew(db, source, some);
    some = [];
  }
  await execute(
    db,
    `update proxy_source set fault = $2, listed = $3, listed_before = $4, added = $5, refused = $6
      where name = $1`,
    [source, fault, entries.size, listed_before, added, refused],
  );
  const asked_at = now.toISOString();
  return { source, fault, listed: entries.size, listed_before, added, refused, asked_at };
}

async function insertNew(
  db: EntityManager,
  source: string,
  entries: readonly Entry[],
): Promise<number> {
  const { added } = await row(
    db,
    { added: column.int },
    // Looked up first: "on conflict" alone would write to every row that is there.
    `with new as (
       insert into proxy (ip_port, source, declared)
       select e.ip_port, $1, nullif(e.country, '')
         from unnest($2::text[], $3::text[]) as e(ip_port, country)
        where not exists (select from proxy where ip_port = e.ip_port)
        order by e.ip_port
       on conflict do nothing returning 1)
     select count(*)::int as added from new`,
    [source, entries.map(([address]) => address), entries.map(([, country]) => country)],
  );
  return added;
}
