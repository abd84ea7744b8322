import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { toUsd } from '../../shared/ledger/money.ts';
import { AMOUNT_MIN, dueOf } from '../../shared/x402/terms.ts';

/**
 * What OpenAPI says of an operation where it is paid for without a key, as crawlers of services
 * that take x402 read it. Amounts are texts, in dollars.
 */
export function paymentTerms({ costs = { min: AMOUNT_MIN } }: AnyOperation) {
  const min = shownUsd(dueOf(costs.min));
  const max = costs.max === undefined ? undefined : shownUsd(dueOf(costs.max));
  const price =
    min === max ? { mode: 'fixed', amount: min } : { mode: 'dynamic', min, ...(max && { max }) };
  return {
    security: [],
    'x-payment-info': { price: { ...price, currency: 'USD' }, protocols: [{ x402: {} }] },
  };
}

const shownUsd = (micros: bigint): string => String(toUsd(micros));
