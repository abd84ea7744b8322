import assert from 'node:assert';
import type { EntityManager } from 'typeorm';

import { balanceOf, creditFirst, insertTransfers, lockTreasuries } from '../ledger/ledger.ts';
import { revenue, sumOf, treasury, type Funds } from '../ledger/ledger.ts';
import type { Micros } from '../ledger/money.ts';
import type { Tx } from '../kernel/operation.ts';
import { assertAllowed, brokenRule, lineageOf } from './policy.ts';
import { assertAffords, fundsFrom, lockBalance, spend, unspend } from './spend.ts';

/** What is sold by the call: the interface's prices, and what policies count it as. */
export const METERED = {
  proxy: { unitPrice: 1_000n, productType: 'proxy_service' },
  email: { unitPrice: 2_000n, productType: 'api_service' },
} as const satisfies Record<string, { unitPrice: Micros; productType: string }>;

export type Service = keyof typeof METERED;

/** `units` of a metered service: at most 2 000 in one charge. */
export interface Metered {
  readonly service: Service;
  readonly units: number;
}

/** A charge that was made: its id is what a refund names. */
export interface Charge {
  readonly id: string;
  readonly amount: Micros;
}

/**
 * Takes the price of a metered call from the caller's treasury, credit first, once a call
 * (`tx.key`), and counts it as spent today by the agent and everyone above it. Refuses what a
 * policy forbids (suspended, product type, per-transaction limit, daily limit), then what the
 * balance does not cover. Locks the caller's tree: call it before any other lock is taken.
 */
export async function charge(tx: Tx, { service, units }: Metered): Promise<Charge> {
  const { unitPrice, productType } = METERED[service];
  const amount = unitPrice * BigInt(units);
  const locked = await lockBalance(tx, { amount, productType });
  assertAffords(locked);
  const { credit, cash } = fundsFrom(locked);
  const [{ id }] = await tx.db.query(
    `insert into charge (call_id, agent_id, service, units, unit_price, credit, cash)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [tx.key, tx.caller.agentId, service, units, unitPrice, credit, cash].map(String),
  );
  await spend(tx, locked, { kind: `${service}.charge`, ref: id, to: revenue(service) });
  return { id, amount };
}

/** The refusal that `charge` would give now, before costly work. It locks and promises nothing. */
export async function assertChargeable(tx: Tx, { service, units }: Metered): Promise<void> {
  const { unitPrice, productType } = METERED[service];
  const amount = unitPrice * BigInt(units);
  assertAllowed(await lineageOf(tx.db, tx.caller.agentId), { amount, productType, now: tx.now });
  assertAffords({ amount, holds: await balanceOf(tx.db, tx.caller.rootId) });
}

/** How many units the balance and the policies above the caller allow now, one call each. */
export async function unitsWithin(tx: Tx, service: Service): Promise<number> {
  const { unitPrice, productType } = METERED[service];
  const lineage = await lineageOf(tx.db, tx.caller.agentId);
  if (brokenRule(lineage, { amount: unitPrice, productType, now: tx.now })) return 0;
  const left = lineage.flatMap(({ dailySpendLimit, spentToday }) =>
    dailySpendLimit === null ? [] : dailySpendLimit - spentToday,
  );
  const balance = sumOf(await balanceOf(tx.db, tx.caller.rootId));
  return Number(left.reduce((a, b) => (a < b ? a : b), balance) / unitPrice);
}

/** How many units the caller and its children were charged for today (UTC). */
export async function unitsToday(tx: Tx, service: Service): Promise<number> {
  const [{ units }] = await tx.db.query(
    `select coalesce(sum(units), 0)::int as units from charge
      where agent_id = any (array(select id from agent where root_id = $1 and $2 = any (lineage)))
        and service = $3 and created_at >= date_trunc('day', now(), 'UTC')`,
    [tx.caller.rootId, tx.caller.agentId, service],
  );
  return units;
}

/**
 * Gives back part of a charge for proxies, for one `cause` (e.g. `proxy:17`) once, and never more
 * than is left of the charge. The platform keeps credit before cash, as with orders, so each funds
 * goes back to where it came from. On the day of the charge the agent's limits have it back too.
 * Returns what went back: 0 for a cause that was refunded before. Locks the tree first.
 */
export async function refundCharge(
  db: EntityManager,
  { chargeId, cause, amount }: { chargeId: string; cause: string; amount: Micros },
): Promise<Micros> {
  const [{ root_id: rootId }] = await db.query(
    'select root_id from charge join agent on agent.id = charge.agent_id where charge.id = $1',
    [chargeId],
  );
  await lockTreasuries(db, [rootId]);
  const [charged] = await db.query('select * from charge where id = $1 for update', [chargeId]);
  assert(charged.service === 'proxy', 'only charges for proxies are given back');
  const kept = {
    credit: BigInt(charged.credit) - BigInt(charged.refunded_credit),
    cash: BigInt(charged.cash) - BigInt(charged.refunded_cash),
  };
  const back = cashFirst(amount, kept);
  if (sumOf(back) === 0n) return 0n;
  const [refund] = await db.query(
    `insert into charge_refund (charge_id, cause, credit, cash) values ($1, $2, $3, $4)
     on conflict (charge_id, cause) do nothing returning id`,
    [chargeId, cause, back.credit, back.cash].map(String),
  );
  if (!refund) return 0n;
  await db.query(
    `update charge set refunded_credit = refunded_credit + $2, refunded_cash = refunded_cash + $3
      where id = $1`,
    [chargeId, back.credit, back.cash].map(String),
  );
  await insertTransfers(db, [
    {
      kind: 'proxy.refund',
      ref: refund.id,
      from: revenue('proxy'),
      to: treasury(rootId),
      ...back,
    },
  ]);
  const spent = { buyerId: charged.agent_id, createdAt: charged.created_at };
  await unspend(db, spent, sumOf(back));
  return sumOf(back);
}

/** What the platform keeps takes credit first, so what goes back takes cash first. */
function cashFirst(amount: Micros, kept: Funds): Funds {
  const back = amount < sumOf(kept) ? amount : sumOf(kept);
  const stays = creditFirst(sumOf(kept) - back, kept);
  return { credit: kept.credit - stays.credit, cash: kept.cash - stays.cash };
}
