import type pg from 'pg';

import { makeKey } from '../../shared/agents/keys.ts';
import { databaseOf } from '../../shared/platform/database.ts';
import { openSecrets } from '../../shared/platform/secrets.ts';
import type { Market } from './deployments.ts';

const BUYERS = 10_000;
const SELLERS = 100;
const PRODUCTS = 1_000;

export interface People {
  readonly buyers: readonly { readonly id: number; readonly key: string }[];
  /** Of a hundred sellers. */
  readonly products: readonly number[];
  /** As many, of one seller, with a third of the units. */
  readonly productsOfOne: readonly number[];
}

/**
 * Buyers with $100 000 and a policy each, and products from a pool of serial keys with `units`
 * each. Made set-based, as the owner: only the keys are made as the API makes them.
 */
export async function populate(market: Market, owner: pg.Client, units: number): Promise<People> {
  const sellers = await agents(owner, 'seller', SELLERS + 1);
  const one = sellers.pop()!;
  const buyers = await makeBuyers(market, owner, BUYERS);
  const products = await listed(owner, sellers, units);
  const productsOfOne = await listed(owner, [one], Math.ceil(units / 3));
  return { buyers, products, productsOfOne };
}

/** So many agents with a key, $100 000 and a policy each. */
export async function makeBuyers(market: Market, owner: pg.Client, count: number) {
  const ids = await agents(owner, 'buyer', count);
  await owner.query(
    `insert into policy (agent_id, max_spend_per_tx, daily_spend_limit)
     select id, 1000000000, 100000000000 from unnest($1::int[]) id`,
    [ids],
  );
  await owner.query(
    `insert into ledger.transfer
       (ref, kind, from_account, from_id, to_account, to_id, to_root, credit, cash)
     select id, 'deposit', 'asset', 1, 'treasury', id, id, 0, 100000000000 from unnest($1::int[]) id`,
    [ids],
  );
  return withKeys(market, ids);
}

async function agents(owner: pg.Client, name: string, count: number): Promise<number[]> {
  const { rows } = await owner.query(
    `with made as (
       insert into agent (id, username, email, password_hash, root_id, lineage, tier)
       select id, $1 || id, $1 || id || '@example.com', 'none', id, array [id], 'pro'
         from (select nextval('agent_id')::int as id from generate_series(1, $2)) as next
       returning id),
     opened as (insert into ledger.treasury (id) select id from made),
     counted as (insert into spend (agent_id) select id from made)
     select id from made`,
    [name, count],
  );
  return rows.map(({ id }: { id: number }) => id);
}

async function listed(owner: pg.Client, sellers: number[], units: number): Promise<number[]> {
  const { rows } = await owner.query(
    `with made as (
       insert into product (seller_id, title, description, category, price, stock_kind, listed,
                            status)
       select ($1::int[])[1 + n % cardinality($1::int[])], 'A key to platform ' || n,
              'It opens what it is for.', 'serial_key', 10000 + n, 'serial_pool', $2, 'approved'
         from generate_series(1, $3) as n
       returning id, seller_id, title, price),
     versioned as (
       insert into product_version (product_id, version, title, price)
       select id, 1, title, price from made)
     select id from made`,
    [sellers, units, PRODUCTS],
  );
  const products = rows.map(({ id }: { id: number }) => id);
  // As long as a sealed serial key.
  await owner.query(
    `insert into stock (product_id, seller_id, secret, fingerprint)
     select p.id, p.seller_id, decode(repeat('5a', 180), 'hex'),
            sha256(convert_to(p.id || ':' || n, 'UTF8'))
       from product p cross join generate_series(1, $2) as n where p.id = any ($1)`,
    [products, units],
  );
  return products;
}

async function withKeys({ config, env }: Market, ids: readonly number[]) {
  const database = await databaseOf(env.MIGRATION_DATABASE_URL!, 1).initialize();
  const secrets = openSecrets(config.masterKeys);
  const scopes = ['read', 'buy', 'sell'] as const;
  const buyers = await database.transaction(async (db) => {
    const made: { id: number; key: string }[] = [];
    for (const id of ids) {
      const { key } = await makeKey(db, secrets, { agentId: id, name: 'bench', scopes });
      made.push({ id, key });
    }
    return made;
  });
  await database.destroy();
  return buyers;
}
