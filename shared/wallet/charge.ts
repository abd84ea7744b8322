import { balanceOf, revenue, spendableOf, sumOf } from '../ledger/ledger.ts';
import type { Micros } from '../ledger/money.ts';
import type { Tx } from '../kernel/operation.ts';
import type { CostRange } from './cost.ts';
import { column, row } from '../platform/rows.ts';
import { assertAllowed, policyChecks, type Spend } from './policy.ts';
import { addedBy, assertAffords, assertApproved, countSpend, fundsFrom } from './spend.ts';
import { lockBalance, pay } from './spend.ts';

/** What is sold by the call: the specification's prices, and what policies count it as. */
export const METERED = {
  proxy: { unitPrice: 1_000n, productType: 'proxy_service' },
  email: { unitPrice: 2_000n, productType: 'api_service' },
} as const satisfies Record<string, { unitPrice: Micros; productType: string }>;

/** What is sold at a price that is a setting. */
const PRICED = { token: { productType: 'token' } } as const;

export type Service = keyof typeof METERED | keyof typeof PRICED;

/** `units` of a metered service: at most 2 000 in one charge. */
export interface Metered {
  readonly service: keyof typeof METERED;
  readonly units: number;
  /** The call that an owner may have approved, where it is the parent of this one. */
  readonly parent?: string;
}

/** One of what is sold at a price that is a setting. */
export interface Priced {
  readonly service: keyof typeof PRICED;
  readonly units: 1;
  readonly unitPrice: Micros;
  /** What an owner is shown who has to approve it. */
  readonly title: string;
  readonly parent?: undefined;
}

/** A charge that was made: its id is what a refund names. */
export interface Charge {
  readonly id: number;
  readonly amount: Micros;
}

/**
 * Takes the price of a metered call from the caller's treasury, credit first, once a call
 * (`tx.key`), and counts it as spent today by the agent and everyone above it. Refuses what a
 * policy forbids (suspended, product type, per-transaction limit, daily limit), then what the
 * balance does not cover, and defers what an owner has to approve. Locks the caller's tree: call it
 * before any other lock is taken.
 */
export async function charge(tx: Tx, charged: Metered | Priced): Promise<Charge> {
  const { service, units, parent } = charged;
  const spend = spendOn(charged);
  const { amount } = spend;
  const balance = await lockBalance(tx, spend, parent);
  assertAffords(balance);
  const { credit, cash } = fundsFrom(balance);
  const day = await countSpend(tx, amount);
  const { id } = await row(
    tx.db,
    { id: column.id },
    `insert into charge (call_id, agent_id, root_id, service, units, unit_price, credit, cash,
                         spent_on)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [
      tx.key,
      tx.caller.agentId,
      tx.caller.rootId,
      service,
      units,
      amount / BigInt(units),
      credit,
      cash,
      day,
    ],
  );
  await pay(tx, balance, { kind: `${service}.charge`, ref: id, to: revenue(service) });
  return { id, amount };
}

/** Of a call that is charged for one unit at least. */
export const costsOf = (service: Metered['service'], unitsMax = 1): CostRange => ({
  min: METERED[service].unitPrice,
  max: METERED[service].unitPrice * BigInt(unitsMax),
});

/** What policies judge. */
export function spendOn(charged: Metered | Priced): Spend {
  const { units: quantity } = charged;
  if ('unitPrice' in charged) {
    const { unitPrice: amount, title } = charged;
    return { amount, productType: PRICED[charged.service].productType, quantity, title };
  }
  const { unitPrice, productType } = METERED[charged.service];
  return { amount: unitPrice * BigInt(quantity), productType, quantity };
}

/**
 * The refusal or the deferral that `charge` would give now, before costly work. It locks and
 * promises nothing.
 */
export async function assertChargeable(tx: Tx, metered: Metered): Promise<void> {
  const spend = spendOn(metered);
  const deferral = await assertAllowed(tx, spend, metered.parent);
  const holds = await balanceOf(tx.db, tx.caller.rootId);
  assertAffords({ amount: spend.amount, holds, addedBy: addedBy(tx) });
  assertApproved({ deferral });
}

/** How many units the balance and the policies above the caller allow now, one call each. */
export async function unitsWithin(tx: Tx, service: Metered['service']): Promise<number> {
  const { unitPrice, productType } = METERED[service];
  const checks = await policyChecks(tx, { amount: unitPrice, productType });
  if (checks.some(({ broken }) => broken)) return 0;
  const left = checks.flatMap(({ daily_spend_limit, spent_today }) =>
    daily_spend_limit === null ? [] : daily_spend_limit - spent_today,
  );
  const balance = sumOf(spendableOf(await balanceOf(tx.db, tx.caller.rootId)));
  return Number(left.reduce((a, b) => (a < b ? a : b), balance) / unitPrice);
}

/** How many units the caller and its children were charged for today (UTC). */
export async function unitsToday(tx: Tx, service: Service): Promise<number> {
  const { units } = await row(
    tx.db,
    { units: column.int },
    `select coalesce(sum(units), 0) as units from charge
      where agent_id = any (array(select id from agent where root_id = $1 and $2 = any (lineage)))
        and service = $3 and created_at >= date_trunc('day', now(), 'UTC')`,
    [tx.caller.rootId, tx.caller.agentId, service],
  );
  return units;
}
