import { isAddress } from '../../platform/egress/addresses.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { CheckResult } from '../gateway.ts';
import type { Verdict } from './states.ts';

/**
 * The judge answers each request with the address that it comes from, and signs that together with
 * the request's nonce. A proxy may drop our request or answer it itself, but it cannot sign.
 */
/** A nonce: enough for 128 random bits. */
export const NONCE = /^[\w-]{22,64}$/;

const PURPOSE = 'proxy-judge';

export interface Judgement {
  readonly address: string;
  readonly nonce: string;
  /** Of both, keyed; in base64url. */
  readonly proof: string;
}

export function judge(secrets: Secrets, request: { address: string; nonce: string }): Judgement {
  return { ...request, proof: secrets.hash(PURPOSE, signed(request)).hash.toString('base64url') };
}

/** What the result of a check shows, once its proof has been checked. */
export function verdictOn(secrets: Secrets, result: CheckResult): Verdict {
  if (!result.answered) return { passed: false, forged: result.malformed };
  const proof = Buffer.from(result.proof, 'base64url');
  const isTrue = isAddress(result.address) && secrets.isHashOf(proof, PURPOSE, signed(result));
  return isTrue ? { passed: true, latencyMs: result.latencyMs } : { passed: false, forged: true };
}

const signed = ({ address, nonce }: { address: string; nonce: string }) => `${nonce} ${address}`;
