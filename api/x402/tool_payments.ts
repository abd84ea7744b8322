import type { CallToolResult } from '@modelcontextprotocol/server';

import type { Config } from '../../shared/composition/config.ts';
import type { Answer } from '../../shared/kernel/call.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { paymentRequired } from '../../shared/x402/terms.ts';
import { resourceOf, settlementOf } from './payment_headers.ts';

/** Where a tool call has its payment, and its result the receipt (x402's transport for MCP). */
export const PAYMENT_META = 'x402/payment';
const RECEIPT_META = 'x402/payment-response';

/**
 * The result of a tool call with what x402 adds: a receipt of what was paid, or the terms of a
 * payment beside the refusal, for clients that pay without being told to.
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
