import { expect } from 'chai';
import type { DataSource } from 'typeorm';

import { databaseOf } from '../../shared/platform/database.ts';
import { TestPlatform } from '../harness.ts';

/**
 * A constraint, a privilege or a range of numbers says no. A slip in the attack's SQL does not
 * count.
 */
export const REFUSALS: readonly string[] = '23502 23503 23505 23514 42501 22P02 22003 25001'.split(
  ' ',
);

/** With the right trees, so that whatever else is wrong with it decides. */
export const transfer = (values: string) =>
  `insert into ledger.transfer
     (ref, kind, from_account, from_id, from_root, to_account, to_id, to_root, credit, cash)
   select ref, kind, from_account::ledger.account, from_id, from_root, to_account::ledger.account,
          to_id, case to_account when 'treasury' then to_id when 'escrow' then from_root end,
          credit::bigint, cash
     from (values (${values}))
          v (ref, kind, from_account, from_id, to_account, to_id, credit, cash)
    cross join lateral (
      select case from_account when 'treasury' then from_id when 'escrow' then
               coalesce((select to_root from ledger.transfer where id = from_id), 1)
             end as from_root) tree`;

/** With exactly these trees. */
export const transferOfTrees = (values: string) =>
  `insert into ledger.transfer
     (ref, kind, from_account, from_id, from_root, to_account, to_id, to_root, credit, cash)
   values (${values})`;

interface Agent {
  readonly id: number;
  readonly key: string;
}

interface Hold {
  readonly id: string;
  readonly ref: string;
  readonly credit: string;
  readonly cash: string;
}

/**
 * A platform with two agents that bought from each other. The escrow of :hold has both sorts of
 * funds, and is not the only one of its tree: what leaves it beyond what it holds is there.
 */
export class Target {
  static async open(): Promise<Target> {
    const platform = await TestPlatform.open();
    const owner = await databaseOf(platform.config.migrationDatabaseUrl, 4).initialize();
    const rich = await platform.agent({ usd: 100 });
    const poor = await platform.agent();
    const buy = async ({ key }: Agent, seller: Agent, price: number) => {
      const product = await platform.product(seller, { price });
      const body = { product_id: product.id };
      return (await platform.request('POST /api/v1/orders', { key, body })).body.order_id as number;
    };
    await buy(rich, poor, 0.2);
    const order = await buy(rich, poor, 1);
    await buy(rich, poor, 1);
    await buy(poor, rich, 0.1);
    const [hold] = await platform.query(
      `select * from ledger.transfer where kind = 'order.hold' and ref = $1`,
      [order],
    );
    const [{ id: deposit }] = await platform.query(
      `insert into deposit (rail, network, tx_id, status, waits_for, look_at, asset, amount, usd,
                            agent_id, root_id)
       values ('card', 'test', 'not yet', 'confirming', 'a test', 'infinity', 'USD', 5, 5, $1, $1)
       returning id`,
      [rich.id],
    );
    return new Target(platform, owner, { rich, poor, hold, deposit });
  }

  readonly platform: TestPlatform;
  readonly owner: DataSource;
  readonly rich: Agent;
  readonly poor: Agent;
  readonly #hold: Hold;
  readonly #deposit: string;

  constructor(
    platform: TestPlatform,
    owner: DataSource,
    of: { rich: Agent; poor: Agent; hold: Hold; deposit: string },
  ) {
    this.platform = platform;
    this.owner = owner;
    this.rich = of.rich;
    this.poor = of.poor;
    this.#hold = of.hold;
    this.#deposit = of.deposit;
  }

  get application(): DataSource {
    return this.platform.context.database;
  }

  /** The state that no attack may change. */
  async state(): Promise<string> {
    return JSON.stringify(
      await this.platform.query(
        `select (select json_agg(t order by id) from ledger.treasury t) as treasuries,
                (select count(*) from ledger.transfer)::int as transfers,
                (select json_agg(r order by kind) from ledger.route r) as routes`,
      ),
    );
  }

  /**
   * Runs SQL that names :rich, :poor, :hold, :order, :deposit (of :rich, $0.000005, not credited),
   * in one transaction that commits if it can: what is refused must not be a matter of rollback.
   * Returns the SQLSTATE of the refusal.
   */
  async attack(database: DataSource, sql: string): Promise<string> {
    const filled = sql
      .replaceAll(':rich', String(this.rich.id))
      .replaceAll(':poor', String(this.poor.id))
      .replaceAll(':order', this.#hold.ref)
      .replaceAll(':deposit', this.#deposit)
      .replaceAll(':hcredit', this.#hold.credit)
      .replaceAll(':hcash', this.#hold.cash)
      .replaceAll(':hold', this.#hold.id);
    const runner = database.createQueryRunner();
    try {
      // Before the transaction: some attacks begin it in a mode of their own.
      await runner.query(`select nextval('ledger.transfer_id')`);
      await runner.query('begin');
      for (const statement of filled.split(/;\s*(?=\S)(?![^']*'\s*(?:;|$))/)) {
        await runner.query(statement);
      }
      await runner.query('commit');
      return 'it succeeded';
    } catch (error) {
      await runner.query('rollback');
      return (error as { code: string }).code;
    } finally {
      await runner.release();
    }
  }

  async close(): Promise<void> {
    await this.owner.destroy();
    await this.platform.close();
  }
}

/** Refused without a change: all attacks by the application, some by the owner too. */
export function itRefuses(
  target: () => Target,
  attacks: { fromBoth: Record<string, string>; fromTheApplication: Record<string, string> },
): void {
  const { fromBoth, fromTheApplication } = attacks;
  for (const role of ['application', 'owner'] as const) {
    const all = role === 'owner' ? fromBoth : { ...fromBoth, ...fromTheApplication };
    for (const [name, sql] of Object.entries(all)) {
      it(`${name}, from the ${role}`, async () => {
        const before = await target().state();
        expect(REFUSALS).to.include(await target().attack(target()[role], sql));
        expect(await target().state()).to.equal(before);
      });
    }
  }
}
