import { Refusal } from '../../kernel/refusal.ts';
import { parse, Type, type Static } from '../../kernel/schema.ts';
import { toUsd, type Micros } from '../../kernel/money.ts';
import { AMOUNT_MIN } from './terms.ts';
import type { X402Rail } from './settings.ts';

const hex = (digits: string) => Type.String({ pattern: `^0x[0-9a-fA-F]${digits}$` });
const seconds = Type.String({ pattern: '^(0|[1-9][0-9]{0,18})$' });

/** An EIP-3009 authorization: `from` lets anybody move `value` to `to`, once, in that time. */
const Authorization = Type.Object({
  from: hex('{40}'),
  to: hex('{40}'),
  value: Type.String({ pattern: '^[1-9][0-9]{0,17}$' }),
  validAfter: seconds,
  validBefore: seconds,
  nonce: hex('{64}'),
});
export type Authorization = Static<typeof Authorization>;

/** 65 bytes, or more of a wallet that is a contract. */
const Signed = Type.Object({ signature: hex('{130,8192}'), authorization: Authorization });
const Terms = Type.Object({
  scheme: Type.String(),
  network: Type.String(),
  asset: Type.String(),
  payTo: Type.String(),
});

/** Both versions of the protocol. What else a client sends along is dropped. */
const SENT = {
  1: Type.Object({
    x402Version: Type.Literal(1),
    scheme: Type.String(),
    network: Type.String(),
    payload: Signed,
  }),
  2: Type.Object({ x402Version: Type.Literal(2), accepted: Terms, payload: Signed }),
} as const;

/** A payment as it was sent with a call. Whether its signature is good, the chain says. */
export interface Payment {
  readonly version: 1 | 2;
  /** Who pays: 0x and 40 digits in lower case. */
  readonly payer: string;
  /** Makes it one of its payer's: 0x and 64 digits in lower case. */
  readonly nonce: string;
  readonly amount: Micros;
  /** From then on it can no more be settled. */
  readonly validBefore: Date;
  readonly signature: string;
  readonly authorization: Authorization;
}

/** So long a facilitator takes at least: what ends sooner is not begun. */
const SETTLE_SECONDS_MIN = 6;
/** A payment whose fate is not known is looked for until then. */
const VALID_SECONDS_MAX = 24 * 3_600;

/** The value of the header of a payment: base64 of its JSON. */
export function decodePayment(header: string): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'base64'));
    return JSON.parse(text) as unknown;
  } catch {
    throw invalidPayment('malformed', 'It is not base64 of JSON.');
  }
}

/** Refuses a payment that is not of this protocol, or on other terms than ours. */
export function paymentOf(rail: X402Rail, sent: unknown): Payment {
  const version = (sent as { x402Version?: unknown } | null)?.x402Version;
  if (version !== 1 && version !== 2) {
    throw invalidPayment('invalid_x402_version', 'Only x402Version 1 and 2 are known here.');
  }
  const { terms, payload } = version === 1 ? readV1(rail, sent) : readV2(sent);
  refuseOtherTerms(rail, version, terms);
  const { signature, authorization } = payload;
  const { from, to, value, validBefore, nonce } = authorization;
  if (!isSame(to, rail.payTo)) {
    throw invalidPayment('invalid_exact_evm_payload_recipient_mismatch', 'It pays somebody else.');
  }
  const amount = BigInt(value);
  if (amount < AMOUNT_MIN) {
    throw invalidPayment('invalid_exact_evm_payload_authorization_value', 'Pay $0.001 at least.');
  }
  if (amount > rail.max) {
    const message = `Pay at most $${toUsd(rail.max)} at a time.`;
    throw invalidPayment('invalid_exact_evm_payload_authorization_value', message);
  }
  return {
    version,
    payer: from.toLowerCase(),
    nonce: nonce.toLowerCase(),
    amount,
    validBefore: timeOf(validBefore),
    signature,
    authorization,
  };
}

/** Refuses a payment that can no more, or not yet, be settled. */
export function refuseUntimely({ authorization, validBefore }: Payment, now: Date): void {
  const left = (validBefore.getTime() - now.getTime()) / 1_000;
  if (left < SETTLE_SECONDS_MIN) {
    throw invalidPayment('invalid_exact_evm_payload_authorization_valid_before', 'It has expired.');
  }
  if (left > VALID_SECONDS_MAX) {
    throw invalidPayment(
      'invalid_exact_evm_payload_authorization_valid_before',
      'It is valid for more than a day. Sign one that ends with maxTimeoutSeconds.',
    );
  }
  if (Number(authorization.validAfter) > now.getTime() / 1_000) {
    throw invalidPayment('invalid_exact_evm_payload_authorization_valid_after', 'It is early.');
  }
}

type SentTerms = Pick<X402Rail, 'network' | 'asset' | 'payTo'> & { readonly scheme: string };

interface Read {
  readonly terms: SentTerms;
  readonly payload: Static<typeof Signed>;
}

/** Version 1 does not repeat the terms: what is signed for other ones, the chain refuses. */
function readV1({ asset, payTo, network, networkV1 }: X402Rail, sent: unknown): Read {
  const { scheme, network: named, payload } = read(SENT[1], sent);
  return {
    terms: { scheme, network: named === networkV1 ? network : named, asset, payTo },
    payload,
  };
}

function readV2(sent: unknown): Read {
  const { accepted, payload } = read(SENT[2], sent);
  return { terms: accepted, payload };
}

function read<S extends (typeof SENT)[1 | 2]>(schema: S, sent: unknown): Static<S> {
  try {
    return parse(schema, sent);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw invalidPayment('invalid_payload', error.message);
  }
}

function refuseOtherTerms(rail: X402Rail, version: number, terms: SentTerms): void {
  if (terms.scheme !== 'exact') {
    throw invalidPayment('invalid_scheme', 'Only the scheme "exact" is taken.');
  }
  if (terms.network !== rail.network) {
    const name = version === 1 ? rail.networkV1 : rail.network;
    throw invalidPayment('invalid_network', `Only payments on ${name} are taken.`);
  }
  if (!isSame(terms.asset, rail.asset) || !isSame(terms.payTo, rail.payTo)) {
    throw invalidPayment('invalid_payment_requirements', 'Its terms are not those of this call.');
  }
}

/** No later than PostgreSQL and JavaScript can say. */
const timeOf = (seconds: string): Date => new Date(Math.min(Number(seconds) * 1_000, TIME_MAX));
const TIME_MAX = Date.UTC(9999, 0);

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The refusal of a payment that was not tried. `reason` is a word of the protocol. */
export const invalidPayment = (reason: string, why: string, details: object = {}): Refusal =>
  new Refusal('payment_invalid', `The payment was not taken. ${why}`, {
    reason,
    charged: false,
    ...details,
  });
