import type { Mutation } from '../mutation.ts';
import { QUOTE_LIMITS } from './quote_limits.ts';
import { QUOTES_HELD } from './quotes.ts';

const PENDING = 'shared/domains/orders/pending/pending_orders.ts';
const UNITS = 'shared/domains/orders/purchase/held_units.ts';
const VIEW = 'shared/domains/orders/pending/pending_order_view.ts';
const PURCHASE = 'shared/domains/orders/purchase_product.ts';
const PROOFS = 'shared/domains/orders/proofs.ts';
const tests = ['test/orders/pending_orders.test.ts'];
const audits = { tests: ['test/kernel/audit.test.ts'] };

/** Purchases that wait for an owner, or that were quoted: what is shown and reserved of them. */
export const PENDING_ORDERS: readonly Mutation[] = [
  {
    name: 'purchase_that_waits_reserves_nothing',
    file: PENDING,
    from: 'const reserves = product.in_stock !== null && ',
    to: 'const reserves = product.in_stock === null && ',
    tests,
    grep: 'which nobody else buys',
  },
  {
    name: 'tree_reserves_more_than_it_can_pay_for',
    file: PENDING,
    from: 'reserved + total <= balance',
    to: 'total <= balance',
    tests,
    grep: 'no more than its tree',
  },
  {
    name: 'counted_units_that_are_gone_are_reserved',
    file: UNITS,
    from: 'return taken === 0 ? undefined : [];',
    to: 'return [];',
    tests,
    grep: 'ask for the last units',
  },
  {
    name: 'single_units_that_are_gone_are_reserved',
    file: 'shared/domains/orders/purchase/reserve.ts',
    from: '    await lockUnits({ db }, product, quantity);\n',
    to: '    return;\n',
    tests,
    grep: 'ask for the last units',
  },
  {
    name: 'refused_purchase_keeps_its_single_units',
    file: UNITS,
    from: "set status = 'available', reserved_for = null where reserved_for = $1",
    to: "set status = 'available', reserved_for = null where reserved_for = -$1",
    tests,
    grep: 'when it is refused: serial_pool, deny',
  },
  {
    name: 'refused_purchase_keeps_its_counted_units',
    file: UNITS,
    from: 'set quantity = quantity + $2 where id = $1',
    to: 'set quantity = quantity + 0 * $2 where id = $1',
    tests,
    grep: 'when it is refused: counted, deny',
  },
  {
    name: 'units_that_nobody_reserved_are_given_back',
    file: PENDING,
    from: 'if (!order.is_reserved) continue; // Nothing',
    to: '// Nothing',
    tests,
    grep: 'waits on: counted',
  },
  {
    name: 'denied_purchase_stays_pending',
    file: 'shared/performing/transaction.ts',
    from: 'await op?.ends?.onRefuse?.(tx, { id, code: why.code });',
    to: 'void op;',
    tests,
    grep: 'when it is refused: serial_pool, deny',
  },
  {
    name: 'approved_purchase_that_is_refused_stays_pending',
    file: 'workers/run_job.ts',
    from: 'await op.ends?.onRefuse?.(tx, { id, code: error.code });',
    to: '',
    tests,
    grep: 'refused then',
  },
  {
    name: 'expired_purchase_is_cancelled',
    file: PURCHASE,
    from: "code === 'approval_expired' ? 'expired' : 'cancelled'",
    to: "'cancelled'",
    tests,
    grep: 'serial_pool, expire',
  },
  {
    name: 'approved_purchase_is_another_order',
    file: 'shared/domains/orders/purchase/purchase_alone.ts',
    from: 'maxTotal, orderId ?? null, quoteId',
    to: 'maxTotal, null, quoteId',
    tests,
    grep: 'which nobody else buys',
  },
  {
    name: 'approved_purchase_is_bought_beside_its_reservation',
    file: 'migrations/functions/perform_purchases.sql',
    from: 'and not exists (select from pending_order where job_id = job.id)',
    to: '',
    tests,
    grep: 'no other units',
  },
  {
    name: 'reservation_has_no_end',
    file: 'shared/domains/orders/pending/release_reservations.ts',
    from: 'reserved_until <= now()',
    to: "reserved_until <= now() - interval '1 day'",
    tests,
    grep: 'loses its units',
  },
  {
    name: 'order_that_waits_is_shown_to_everybody',
    file: 'shared/domains/orders/get_order.ts',
    from: "'where o.id = $1 and $2 = any (buyer.lineage)',\n      [order_id",
    to: "'where o.id = $1 and $2 > 0',\n      [order_id",
    tests,
    grep: 'which nobody else buys',
  },
  {
    name: 'order_that_waits_is_not_listed',
    file: 'shared/domains/orders/get_orders.ts',
    from: "role === 'seller' || isPlaced",
    to: "role === 'buyer' || isPlaced",
    tests,
    grep: 'which nobody else buys',
  },
  {
    name: 'what_is_no_order_yet_does_not_exist',
    file: VIEW,
    from: "throw new Refusal('invalid_transition', message",
    to: "throw new Refusal('not_found', message",
    tests,
    grep: 'which nobody else buys',
  },
  {
    name: 'audit_misses_a_purchase_that_is_not_shown',
    file: PROOFS,
    from: 'p.id is null\n              or j.id is null and not exists (',
    to: 'j.id is null and not exists (',
    ...audits,
    grep: 'is shown as an order',
  },
  {
    name: 'audit_misses_units_that_are_not_reserved',
    file: PROOFS,
    from: 'where p.quantity is distinct from u.units',
    to: 'where p.quantity > u.units and p.quantity < u.units',
    ...audits,
    grep: 'one too few',
  },
  {
    name: 'audit_misses_an_order_that_is_pending_too',
    file: PROOFS,
    from: 'on p.id = o.id or p.job_id = o.job_id',
    to: 'on p.id = o.id',
    ...audits,
    grep: 'pending and placed',
  },
  {
    name: 'audit_counts_reserved_units_as_lost',
    file: 'shared/domains/products/proofs.ts',
    from: 'where reserved_until is not null\n                      union',
    to: 'where reserved_until is null and false\n                      union',
    tests,
    grep: 'no more than its tree',
  },
  ...QUOTES_HELD,
  ...QUOTE_LIMITS,
];
