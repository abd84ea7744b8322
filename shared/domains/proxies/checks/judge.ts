import { isAddress } from '../../../platform/egress/addresses.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import type { CheckResult } from '../gateway.ts';
import type { Verdict } from './states.ts';

/**
 * The judge answers each request with its source address and its forwarding headers, and signs
 * these together with the request's nonce. A proxy may drop our request or answer it itself, but it
 * cannot sign.
 */
/** A nonce: enough for 128 random bits. */
export const NONCE = /^[\w-]{22,64}$/;

const PURPOSE = 'proxy-judge';

export interface Judgement {
  readonly address: string;
  readonly nonce: string;
  /** The line of forwarding.ts; empty: no header shows a proxy. */
  readonly seen: string;
  /** A keyed hash of all three, in base64url. */
  readonly proof: string;
}

interface Observation {
  readonly address: string;
  readonly nonce: string;
  readonly seen: string;
}

export function judge(secrets: Secrets, request: Observation): Judgement {
  return {
    ...request,
    proof: secrets.hash(PURPOSE, signedTextOf(request)).hash.toString('base64url'),
  };
}

/** Checks the proof of a result, and returns the verdict on the proxy. */
export function verdictOn(secrets: Secrets, result: CheckResult): Verdict {
  if (!result.answered) return { passed: false, forged: result.malformed };
  const proof = Buffer.from(result.proof, 'base64url');
  const isTrue =
    isAddress(result.address) && secrets.isHashOf(proof, PURPOSE, signedTextOf(result));
  if (!isTrue) return { passed: false, forged: true };
  // The proxy is honest to the judge only.
  if (result.page === 'different') return { passed: false, forged: true };
  if (result.page === 'none') return { passed: false, forged: false };
  const { latencyMs, https } = result;
  return { passed: true, latencyMs, ...(https !== undefined && { https }) };
}

const signedTextOf = ({ address, nonce, seen }: Observation) =>
  [nonce, address, seen].join(' ').trimEnd();
