import type { CallToolResult } from '@modelcontextprotocol/server';

import type { Config } from '../../shared/composition/config.ts';
import type { Answer } from '../../shared/kernel/call.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { paymentRequired } from '../../shared/domains/x402/terms.ts';
import { resourceOf, settlementOf } from './payment_headers.ts';

/** Field for the payment of a tool call, and the receipt in its result (x402's MCP transport). */
export const PAYMENT_META = 'x402/payment';
const RECEIPT_META = 'x402/payment-response';

/**
 * Adds to the result of a tool call what x402 wants: a receipt of the payment, or payment terms
 * beside the refusal, for clients that pay without being told to.
 */
export function withPayment(
  result: CallToolResult,
  { x402: rail }: Config,
  op: AnyOperation,
  { receipt, due: amount }: Pick<Answer, 'receipt' | 'due'>,
): CallToolResult {
  const paid = receipt ? { ...result, _meta: { [RECEIPT_META]: settlementOf(receipt) } } : result;
  if (!rail || amount === undefined) return paid;
  const known = result.structuredContent as { readonly error: string };
  const resource = resourceOf(op, `mcp://tool/${op.name}`);
  const terms = paymentRequired(rail, { amount, error: known.error, resource });
  const structuredContent = { ...known, ...terms };
  const text = JSON.stringify(structuredContent);
  return { ...paid, content: [{ type: 'text', text }], structuredContent };
}
