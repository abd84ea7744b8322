import type { DataSource, EntityManager } from 'typeorm';

import { column, nullable, row, type Database } from '../../../platform/rows.ts';
import { RECIPIENTS_NAMED_MAX, type Recipients } from '../chain/deposit_chain.ts';
import type { Family } from '../chain/networks.ts';
import { AddressSet } from './address_set.ts';

/** Maximum addresses read at once: a process answers calls in between. */
const PAGE = 20_000;

/** The addresses of agents, of one family, that a process has read. */
export class KnownAddresses implements Recipients {
  readonly #set = new AddressSet();
  #named: string[] = [];
  /** All writes of transactions before this one were read. Undefined: nothing was. */
  #readTo: string | undefined;
  #reading: Promise<void> = Promise.resolve();

  get size(): number {
    return this.#set.size;
  }

  get bytes(): number {
    return this.#set.bytes;
  }

  has(address: string): boolean {
    return this.#set.has(address);
  }

  [Symbol.iterator](): Iterator<string> {
    if (this.size > RECIPIENTS_NAMED_MAX)
      throw new Error('there are too many addresses to name them');
    return this.#named[Symbol.iterator]();
  }

  /** Reads the new addresses committed before this call. One reading at a time. */
  async read(db: Database, family: Family): Promise<void> {
    const reading = this.#reading.catch(() => undefined).then(() => this.#readOn(db, family));
    this.#reading = reading;
    return reading;
  }

  async #readOn(db: Database, family: Family): Promise<void> {
    // Taken first: later writes are read the next time.
    const sql = 'select pg_snapshot_xmin(pg_current_snapshot())::text as "readTo"';
    const { readTo } = await row(db, { readTo: column.text }, sql);
    if (this.#readTo === undefined) await this.#readAll(db, family);
    else this.#add((await row(db, PART, WRITTEN_SINCE_SQL, [family, this.#readTo])).addresses);
    this.#readTo = readTo;
  }

  async #readAll(db: Database, family: Family): Promise<void> {
    let after: number | null = -1;
    while (after !== null) {
      const { addresses, last }: { addresses: string | null; last: number | null } = await row(
        db,
        { ...PART, last: nullable(column.id) },
        PAGE_SQL,
        [family, after, PAGE],
      );
      this.#add(addresses);
      after = last;
    }
  }

  #add(addresses: string | null): void {
    for (const address of addresses?.split(' ') ?? []) {
      const before = this.size;
      this.#set.add(address);
      if (this.size > before && this.size <= RECIPIENTS_NAMED_MAX) this.#named.push(address);
    }
    if (this.size > RECIPIENTS_NAMED_MAX) this.#named = [];
  }
}

const PART = { addresses: nullable(column.text) };

const PAGE_SQL = `select string_agg(address, ' ') as addresses, max(index) as last
  from (select address, index from deposit_address
         where family = $1 and index > $2 order by index limit $3) page`;

/** A row restored from a dump may name a transaction id that is still to come. */
export const WRITTEN_SINCE_SQL = `select string_agg(address, ' ') as addresses
  from deposit_address
 where family = $1 and written_by >= $2::xid8
   and written_by < pg_snapshot_xmax(pg_current_snapshot())`;

// Keyed by data source, because the addresses belong to its database.
const known = new WeakMap<DataSource, Map<Family, KnownAddresses>>();

/** The addresses of agents, for a search: all committed before this call. */
export async function knownAddresses(db: EntityManager, family: Family): Promise<KnownAddresses> {
  const families = known.get(db.dataSource) ?? new Map<Family, KnownAddresses>();
  known.set(db.dataSource, families);
  const addresses = families.get(family) ?? new KnownAddresses();
  families.set(family, addresses);
  await addresses.read(db, family);
  return addresses;
}
