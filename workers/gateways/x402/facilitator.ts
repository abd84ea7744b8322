import type { Egress } from '../../../shared/platform/egress/egress.ts';
import type { RecordedPayment, Verdict } from '../../../shared/domains/x402/gateway.ts';
import type { X402Rail } from '../../../shared/domains/x402/settings.ts';
import { requirementsOf, requirementsV1Of } from '../../../shared/domains/x402/terms.ts';
import { postJson } from './post_json.ts';

const VERIFY_MS_MAX = 5_000;
/** Maximum time that the protocol allows for a block and what is around it. */
export const SETTLE_MS_MAX = 20_000;

/**
 * Asks a facilitator to verify a payment and then to settle it. Rejects without a valid answer:
 * then nobody knows whether it has settled.
 */
export async function askFacilitator(
  rail: X402Rail,
  egress: Egress,
  payment: RecordedPayment,
): Promise<Verdict> {
  const body = requestOf(rail, payment);
  const ask = async (path: string, timeoutMs: number) => {
    const { facilitatorUrl, facilitatorToken: token } = rail;
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await postJson(egress, facilitatorUrl + path, { body, timeoutMs, headers });
    return answer.body as Readonly<Record<string, unknown>>;
  };
  const verified = await ask('/verify', VERIFY_MS_MAX);
  if (typeof verified.isValid !== 'boolean') throw new Error('the facilitator verified nothing');
  if (!verified.isValid) return refusedFor(verified.invalidReason);
  const settled = await ask('/settle', SETTLE_MS_MAX);
  if (typeof settled.success !== 'boolean') throw new Error('the facilitator settled nothing');
  return settled.success ? { isSettled: true } : refusedFor(settled.errorReason);
}

/** A reason of the protocol, or text that could be one. */
const refusedFor = (reason: unknown): Verdict => ({
  isSettled: false,
  reason: typeof reason === 'string' && /^[\w.-]{1,80}$/.test(reason) ? reason : 'refused',
});

/** The request, in the version in which the payment was made. */
function requestOf(rail: X402Rail, payment: RecordedPayment): object {
  const { version, amount, signature, authorization } = payment;
  const payload = { signature, authorization };
  if (version === 1) {
    const resource = { url: 'https://x402.invalid/', description: '' };
    return {
      x402Version: 1,
      paymentPayload: { x402Version: 1, scheme: 'exact', network: rail.networkV1, payload },
      paymentRequirements: requirementsV1Of(rail, amount, resource),
    };
  }
  const accepted = requirementsOf(rail, amount);
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted, payload },
    paymentRequirements: accepted,
  };
}
