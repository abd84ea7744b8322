import type { DataSource } from 'typeorm';

import { makeKey } from '../../shared/domains/agents/keys.ts';
import { databaseOf } from '../../shared/platform/database.ts';
import { column, execute, rows } from '../../shared/platform/rows.ts';
import { openSecrets } from '../../shared/platform/secrets.ts';
import type { Deployment } from './deployments.ts';

const BUYERS = 10_000;
const SELLERS = 100;
const PRODUCTS = 1_000;

export interface Buyer {
  readonly id: number;
  readonly key: string;
}

export interface Population {
  readonly buyers: readonly Buyer[];
  /** Products of a hundred sellers. */
  readonly products: readonly number[];
  /** As many products of one seller, with a third of the units each. */
  readonly productsOfOne: readonly number[];
}

/**
 * Buyers with $100 000 and a policy each, and products with `units` serial keys each. A superuser
 * inserts them in a few statements: only the API keys are made like the API makes them.
 */
export async function populate(
  deployment: Deployment,
  owner: DataSource,
  units: number,
): Promise<Population> {
  const sellers = await makeAgents(owner, 'seller', SELLERS + 1);
  const oneSeller = sellers.pop()!;
  const buyers = await makeBuyers(deployment, owner, BUYERS);
  const products = await makeProducts(owner, sellers, units);
  const productsOfOne = await makeProducts(owner, [oneSeller], Math.ceil(units / 3));
  return { buyers, products, productsOfOne };
}

/** Agents with a key, $100 000 and a policy each. */
export async function makeBuyers(deployment: Deployment, owner: DataSource, count: number) {
  const ids = await makeAgents(owner, 'buyer', count);
  await execute(
    owner,
    `with policies as (
       insert into policy (agent_id, root_id, version, max_spend_per_tx, daily_spend_limit)
       select id, id, 1, 1000000000, 100000000000 from unnest($1::bigint[]) id returning *)
     insert into policy_version
       (agent_id, version, governance_level, max_spend_per_tx, daily_spend_limit,
        allowed_product_types, auto_suspend_on_anomaly, set_by, call_id, key_id)
     select agent_id, version, governance_level, max_spend_per_tx, daily_spend_limit,
            allowed_product_types, auto_suspend_on_anomaly, agent_id, gen_random_uuid(), 0
       from policies`,
    [ids],
  );
  await execute(
    owner,
    `with made as (
       insert into deposit (rail, network, tx_id, status, asset, amount, usd, rate_price,
                            rate_source, rate_at, agent_id, root_id, credited_at)
       select 'card', 'bench', id, 'credited', 'USD', 10000000, 100000000000, 1, 'par', now(),
              id, id, now()
         from unnest($1::bigint[]) id returning id, root_id, usd)
     insert into ledger.transfer
       (ref, kind, from_account, from_id, to_account, to_id, to_root, credit, cash)
     select id, 'deposit', 'asset', 1, 'treasury', root_id, root_id, 0, usd from made`,
    [ids],
  );
  return withKeys(deployment, ids);
}

async function makeAgents(owner: DataSource, name: string, count: number): Promise<number[]> {
  const made = await rows(
    owner,
    { id: column.id },
    `with made as (
       insert into agent (id, username, email, password_hash, root_id, lineage)
       select id, $1 || id, $1 || id || '@example.com', 'none', id, array [id]
         from (select nextval('agent_id') as id from generate_series(1, $2)) as next
       returning id),
     opened as (insert into ledger.treasury (id) select id from made),
     counted as (insert into spend (agent_id, root_id) select id, id from made)
     select id from made`,
    [name, count],
  );
  return made.map(({ id }) => id);
}

async function makeProducts(
  owner: DataSource,
  sellers: number[],
  units: number,
): Promise<number[]> {
  const made = await rows(
    owner,
    { id: column.id },
    `with made as (
       insert into product (seller_id, root_id, title, description, category, price, stock_kind,
                            listed, status)
       select seller, seller, 'A key to platform ' || n,
              'It opens what it is for.', 'serial_key', 10000 + n, 'serial_pool', $2, 'approved'
         from generate_series(1, $3) as n
        cross join lateral (select ($1::bigint[])[1 + n % cardinality($1::bigint[])] as seller) s
       returning id, seller_id, title, price),
     versioned as (
       insert into product_version (product_id, version, title, price)
       select id, 1, title, price from made)
     select id from made`,
    [sellers, units, PRODUCTS],
  );
  const products = made.map(({ id }) => id);
  // As long as a sealed serial key.
  await execute(
    owner,
    `with unit as (
       insert into stock (product_id, seller_id, root_id)
       select p.id, p.seller_id, p.root_id
         from product p cross join generate_series(1, $2) as n where p.id = any ($1)
       returning id, seller_id)
     insert into stock_secret (stock_id, seller_id, secret, fingerprint)
     select id, seller_id, decode(repeat('5a', 180), 'hex'),
            sha256(convert_to(id::text, 'UTF8')) from unit`,
    [products, units],
  );
  return products;
}

async function withKeys({ config, env }: Deployment, ids: readonly number[]) {
  const database = await databaseOf(env.MIGRATION_DATABASE_URL!, 1).initialize();
  const secrets = openSecrets(config.masterKeys);
  const scopes = ['read', 'buy', 'sell'] as const;
  const buyers = await database.transaction(async (db) => {
    const made: { id: number; key: string }[] = [];
    for (const id of ids) {
      const draft = { agentId: id, name: 'bench', scopes };
      const { key } = await makeKey({ db, secrets, config }, draft);
      made.push({ id, key });
    }
    return made;
  });
  await database.destroy();
  return buyers;
}
