import { balanceOf, revenue, spendableOf, sumOf } from '../ledger/ledger.ts';
import type { Micros } from '../../kernel/money.ts';
import type { Tx } from '../../kernel/tx.ts';
import type { CostRange } from '../../kernel/terms/cost.ts';
import { column, row } from '../../platform/rows.ts';
import { assertAllowed, policyChecks, type Spend } from './policy.ts';
import { addedBy, assertAffords, assertApproved, countSpend, fundsFrom } from './spend.ts';
import { lockBalance, pay } from './spend.ts';

/** Metered services: their prices by the specification, and their types in policies. */
export const METERED = {
  proxy: { unitPrice: 1_000n, productType: 'proxy_service' },
  email: { unitPrice: 2_000n, productType: 'api_service' },
} as const satisfies Record<string, { unitPrice: Micros; productType: string }>;

/** Services whose prices are settings, and their types in policies. */
const PRICED = { token: { productType: 'token' } } as const;

export type Service = keyof typeof METERED | keyof typeof PRICED;

/** `units` of a metered service: at most 2 000 in one charge. */
export interface MeteredCharge {
  readonly service: keyof typeof METERED;
  readonly units: number;
  /** The parent of this call, if that is the one an owner may have approved. */
  readonly parent?: string;
}

/** A unit of a service whose price is a setting. */
interface PricedCharge {
  readonly service: keyof typeof PRICED;
  readonly units: 1;
  readonly unitPrice: Micros;
  /** The title shown to an owner who has to approve it. */
  readonly title: string;
  readonly parent?: undefined;
}

/** A charge that was made. Refunds name its id. */
interface Charge {
  readonly id: number;
  readonly amount: Micros;
}

/**
 * Takes the price of a metered call from the caller's treasury, credit first, once a call
 * (`tx.key`), and counts it as spent today by the agent and everyone above it. Refuses a call that
 * a policy forbids (suspended, product type, per-transaction limit, daily limit), then one that the
 * balance does not cover, and defers one that an owner has to approve. Locks the caller's tree, so
 * call it before any other lock is taken.
 */
export async function charge(tx: Tx, charged: MeteredCharge | PricedCharge): Promise<Charge> {
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

/** The range of costs of a call that is charged for at least one unit. */
export const costsOf = (service: MeteredCharge['service'], unitsMax = 1): CostRange => ({
  min: METERED[service].unitPrice,
  max: METERED[service].unitPrice * BigInt(unitsMax),
});

/** The spend that policies judge. */
export function spendOn(charged: MeteredCharge | PricedCharge): Spend {
  const { units: quantity } = charged;
  if ('unitPrice' in charged) {
    const { unitPrice: amount, title } = charged;
    return { amount, productType: PRICED[charged.service].productType, quantity, title };
  }
  const { unitPrice, productType } = METERED[charged.service];
  return { amount: unitPrice * BigInt(quantity), productType, quantity };
}

/**
 * Throws the refusal or the deferral that `charge` would throw now, before costly work. It locks
 * nothing and guarantees nothing.
 */
export async function assertChargeable(tx: Tx, metered: MeteredCharge): Promise<void> {
  const spend = spendOn(metered);
  const deferral = await assertAllowed(tx, spend, metered.parent);
  const holds = await balanceOf(tx.db, tx.caller.rootId);
  assertAffords({ amount: spend.amount, holds, addedBy: addedBy(tx) });
  assertApproved({ deferral });
}

/** Number of units that the balance and the policies above the caller allow now, one a call. */
export async function unitsWithin(tx: Tx, service: MeteredCharge['service']): Promise<number> {
  const { unitPrice, productType } = METERED[service];
  const checks = await policyChecks(tx, { amount: unitPrice, productType });
  if (checks.some(({ broken }) => broken)) return 0;
  const left = checks.flatMap(({ daily_spend_limit, spent_today }) =>
    daily_spend_limit === null ? [] : daily_spend_limit - spent_today,
  );
  const balance = sumOf(spendableOf(await balanceOf(tx.db, tx.caller.rootId)));
  return Number(left.reduce((a, b) => (a < b ? a : b), balance) / unitPrice);
}

/** Number of units that the caller and its children were charged for today (UTC). */
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
