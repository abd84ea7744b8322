import { isAddress } from '../../platform/addresses.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Finding } from '../gateway.ts';
import type { Verdict } from './states.ts';

/**
 * The judge tells who asks it from which address they come, and signs that together with what they
 * sent. A proxy may keep our request or answer it itself, but it cannot sign.
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

export function judge(secrets: Secrets, asked: { address: string; nonce: string }): Judgement {
  return { ...asked, proof: secrets.hash(PURPOSE, signed(asked)).hash.toString('base64url') };
}

/** What a finding is worth once its proof has been checked. */
export function verdictOn(secrets: Secrets, finding: Finding): Verdict {
  if (!finding.answered) return { passed: false, lied: finding.garbled };
  const proof = Buffer.from(finding.proof, 'base64url');
  const isTrue = isAddress(finding.address) && secrets.isHashOf(proof, PURPOSE, signed(finding));
  return isTrue ? { passed: true, latencyMs: finding.latencyMs } : { passed: false, lied: true };
}

const signed = ({ address, nonce }: { address: string; nonce: string }) => `${nonce} ${address}`;
