import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { toUsd } from '../../shared/kernel/money.ts';
import { AMOUNT_MIN, dueOf } from '../../shared/domains/x402/terms.ts';

/**
 * The payment terms in OpenAPI of an operation that can be paid for without a key, in the format
 * that crawlers of x402 services read. Amounts are texts, in dollars.
 */
export function paymentTerms({ paid }: AnyOperation) {
  const costs = paid?.costs ?? { min: AMOUNT_MIN };
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
