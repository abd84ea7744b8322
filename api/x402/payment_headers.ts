import type { IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';

import type { Config } from '../../shared/composition/config.ts';
import type { Answer, Receipt } from '../../shared/kernel/call.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { decodePayment, invalidPayment } from '../../shared/domains/x402/payment.ts';
import {
  paymentRequired,
  paymentRequiredV1,
  type Resource,
} from '../../shared/domains/x402/terms.ts';
import type { CallContext } from '../http/routes.ts';

/** Prefix of the paths at which a call without a key is told its price, and can be paid for. */
export const FOR_SALE = '/x402';

/**
 * The payment that came with a request, in the header of either version of the protocol. Clients
 * that do not know the version of a server send one payment in both. Two payments are refused:
 * nobody knows which of them the caller means to make.
 */
export function paymentIn({ headers }: IncomingMessage): (() => unknown) | undefined {
  const sent = [headers['payment-signature'], headers['x-payment']].filter(
    (one) => typeof one === 'string',
  );
  if (sent.length === 0) return undefined;
  return () => {
    const [payment, other = payment] = sent.map(decodePayment);
    if (isDeepStrictEqual(payment, other)) return payment;
    throw invalidPayment(
      'invalid_payload',
      'PAYMENT-SIGNATURE and X-PAYMENT hold two payments: send one of them.',
    );
  };
}

/**
 * Tells a caller over HTTP what to pay, or that it has paid. Clients of version 2 read headers;
 * those of version 1 read two fields of the body.
 */
export function setPaymentHeaders(
  ctx: CallContext,
  { x402: rail, api }: Config,
  op: AnyOperation,
  answer: Answer,
): string {
  const { receipt, due: amount, body } = answer;
  if (receipt) {
    const settled = settlementOf(receipt);
    ctx.set('PAYMENT-RESPONSE', encoded(settled));
    const network = rail?.networkV1 ?? settled.network;
    ctx.set('X-PAYMENT-RESPONSE', encoded({ ...settled, network })); // For clients of version 1.
  }
  if (!rail || amount === undefined) return body;
  const resource = resourceOf(op, api.publicUrl + ctx.path);
  const known = JSON.parse(body) as { readonly error: string };
  const required = encoded(paymentRequired(rail, { amount, error: known.error, resource }));
  ctx.set('PAYMENT-REQUIRED', required);
  ctx.set('X-Payment-Required', required); // The specification's name for it.
  return JSON.stringify({ ...known, ...paymentRequiredV1(rail, { amount, resource }) });
}

export const resourceOf = ({ title }: AnyOperation, url: string): Resource => ({
  url,
  description: `${title}.`,
});

/** A settled payment, in the fields of the protocol. */
export const settlementOf = ({ transaction, network, payer, amount }: Receipt) => ({
  success: true,
  transaction,
  network,
  payer,
  amount: String(amount),
});

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');
