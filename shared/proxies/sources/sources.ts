import type { EntityManager } from 'typeorm';

import { Nullable, Output, Text, Time, Type } from '../../kernel/schema.ts';
import type { Listed } from '../gateway.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** What a source said when it was last asked. */
export const SourceReport = Output({
  source: Text(1, 300, 'Host and path, or the name of the file.'),
  fault: Nullable(Text(1, 300, 'Why nothing was taken from it.')),
  listed: Count('Good entries.'),
  listed_before: Count('How many there were the last time that it gave any.'),
  added: Count('Those that the pool did not know. They are sold once they pass a check.'),
  refused: Output({
    duplicate: Count('Listed twice.'),
    unreadable: Count('No address with a port.'),
    password: Count('With a password.'),
    protocol: Count('Not SOCKS5.'),
    not_public: Count('Private, reserved or otherwise not public.'),
  }),
  asked_at: Time('When.'),
});

/** Nothing was refused, by reason. */
export const NONE_REFUSED = {
  duplicate: 0,
  unreadable: 0,
  password: 0,
  protocol: 0,
  not_public: 0,
};
const ROWS_MAX = 20_000;

/**
 * Takes what a source lists into the pool, unproven. It never takes anything out: only checks do,
 * so a source that fails, lies or shrinks costs nothing but what it would have added.
 */
export async function takeIn(db: EntityManager, listed: Listed, now: Date) {
  const { source } = listed;
  const [before] = await db.query(
    // Two refreshes at once would add the same entries in different orders.
    `insert into proxy_source (name, asked_at, refused) values ($1, $2, '{}')
     on conflict (name) do update set asked_at = excluded.asked_at
     returning case when listed > 0 then listed else listed_before end as listed_before`,
    [source, now],
  );
  const fault = 'fault' in listed ? listed.fault.slice(0, 300) : null;
  const entries = 'listing' in listed ? [...listed.listing.entries] : [];
  const refused = 'listing' in listed ? listed.listing.refused : NONE_REFUSED;
  let added = 0;
  for (let from = 0; from < entries.length; from += ROWS_MAX) {
    added += await insertNew(db, source, entries.slice(from, from + ROWS_MAX));
  }
  await db.query(
    `update proxy_source set fault = $2, listed = $3, listed_before = $4, added = $5, refused = $6
      where name = $1`,
    [source, fault, entries.length, before.listed_before, added, refused],
  );
  const { listed_before } = before;
  const asked_at = now.toISOString();
  return { source, fault, listed: entries.length, listed_before, added, refused, asked_at };
}

async function insertNew(
  db: EntityManager,
  source: string,
  entries: readonly (readonly [place: string, country: string])[],
): Promise<number> {
  const [{ added }] = await db.query(
    // Looked up first: "on conflict" alone would write to every row that is there.
    `with new as (
       insert into proxy (ip_port, source, declared)
       select e.place, $1, nullif(e.country, '')
         from unnest($2::text[], $3::text[]) as e(place, country)
        where not exists (select from proxy where ip_port = e.place)
        order by e.place
       on conflict do nothing returning 1)
     select count(*)::int as added from new`,
    [source, entries.map(([place]) => place), entries.map(([, country]) => country)],
  );
  return added;
}
