import { isAddress } from '../../platform/egress/addresses.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { CheckResult } from '../gateway.ts';
import type { Verdict } from './states.ts';

/**
 * The judge answers each request with the address that it comes from and what its headers say of
 * proxies, and signs that together with the request's nonce. A proxy may drop our request or answer
 * it itself, but it cannot sign.
 */
/** A nonce: enough for 128 random bits. */
export const NONCE = /^[\w-]{22,64}$/;

const PURPOSE = 'proxy-judge';

export interface Judgement {
  readonly address: string;
  readonly nonce: string;
  /** See forwarding.ts; empty: the headers say nothing of a proxy. */
  readonly seen: string;
  /** Of all three, keyed; in base64url. */
  readonly proof: string;
}

interface Judged {
  readonly address: string;
  readonly nonce: string;
  readonly seen: string;
}

export function judge(secrets: Secrets, request: Judged): Judgement {
  return { ...request, proof: secrets.hash(PURPOSE, signed(request)).hash.toString('base64url') };
}

/** What the result of a check shows, once its proof has been checked. */
export function verdictOn(secrets: Secrets, result: CheckResult): Verdict {
  if (!result.answered) return { passed: false, forged: result.malformed };
  const proof = Buffer.from(result.proof, 'base64url');
  const isTrue = isAddress(result.address) && secrets.isHashOf(proof, PURPOSE, signed(result));
  if (!isTrue) return { passed: false, forged: true };
  // Honest to the judge, and to nobody else.
  if (result.page === 'different') return { passed: false, forged: true };
  if (result.page === 'none') return { passed: false, forged: false };
  return { passed: true, latencyMs: result.latencyMs };
}

const signed = ({ address, nonce, seen }: Judged) => [nonce, address, seen].join(' ').trimEnd();
