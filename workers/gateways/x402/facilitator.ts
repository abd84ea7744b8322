import type { Facilitator } from '../../../shared/domains/x402/facilitators/settings.ts';
import type { Endpoint } from '../../../shared/domains/x402/facilitators/states.ts';
import type { RecordedPayment } from '../../../shared/domains/x402/gateway.ts';
import type { X402Rail } from '../../../shared/domains/x402/settings.ts';
import { requirementsOf, requirementsV1Of } from '../../../shared/domains/x402/terms.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import { authorizationOf } from './authorization.ts';

const ANSWER_BYTES_MAX = 1024 * 1024;
/** Maximum wait for each answer. For a settlement the protocol allows for a block and more. */
const WAIT_MS_MAX: { readonly [endpoint in Endpoint]: number } = {
  supported: 5_000,
  verify: 5_000,
  settle: 20_000,
};

type Answer = Readonly<Record<string, unknown>>;

/** No answer that the protocol knows. The message is ours: it holds no word of the facilitator. */
export class FacilitatorFault extends Error {}

/** Asks a facilitator once. Rejects with FacilitatorFault unless `isAnswer` accepts its answer. */
export async function askFacilitator(
  egress: Egress,
  facilitator: Facilitator,
  { endpoint, body }: { readonly endpoint: Endpoint; readonly body?: object },
  isAnswer: (answer: Answer) => boolean,
): Promise<Answer> {
  const url = `${facilitator.url}/${endpoint}`;
  const method = body ? 'POST' : 'GET';
  const timeoutMs = WAIT_MS_MAX[endpoint];
  const headers = {
    ...authorizationOf(facilitator, method, url),
    ...(body && { 'content-type': 'application/json' }),
  };
  const reply = await egress
    .request(url, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
      timeoutMs,
      bytesMax: ANSWER_BYTES_MAX,
    })
    .catch((error: unknown) => {
      throw new FacilitatorFault(reasonOf(error, timeoutMs));
    });
  const answer = jsonOf(reply.body);
  if (answer && isAnswer(answer)) return answer;
  throw new FacilitatorFault(`it answers with status ${reply.status} and not as x402 says`);
}

/** The reason why there is no answer. Messages of Node may hold what the other side sent. */
function reasonOf(error: unknown, timeoutMs: number): string {
  const { name, code } = error as { name?: unknown; code?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError') return `no answer within ${timeoutMs} ms`;
  if (typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code)) return `no answer (${code})`;
  return 'no answer';
}

function jsonOf(body: Buffer): Answer | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return value !== null && typeof value === 'object' ? (value as Answer) : undefined;
  } catch {
    return undefined;
  }
}

/** The request, in the version in which the payment was made. */
export function requestOf(rail: X402Rail, payment: RecordedPayment): object {
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
