import type { Facilitator } from '../../../shared/domains/x402/facilitators/settings.ts';
import type {
  Endpoint,
  FacilitatorAnswer,
} from '../../../shared/domains/x402/facilitators/states.ts';
import type {
  RecordedPayment,
  Verdict,
  X402Gateway,
} from '../../../shared/domains/x402/gateway.ts';
import { FACILITATOR_UNAVAILABLE } from '../../../shared/domains/x402/outcomes.ts';
import type { X402Rail } from '../../../shared/domains/x402/settings.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import type { Store } from '../../../shared/platform/redis.ts';
import { withTimeout } from '../../../shared/platform/timeout.ts';
import { askFacilitator, FacilitatorFault, requestOf } from './facilitator.ts';

/** For so long after a fault the others are asked first. */
const ASKED_LAST_MS = 60_000;
/** Longer than any payment is valid, and looked for. */
const KEPT_MS = 48 * 3_600_000;
const STORE_MS_MAX = 2_000;

/** Asks facilitators in their order, and settles each payment with one of them alone. */
export function openFacilitators(
  rail: X402Rail,
  { egress, store }: { egress: Egress; store: Store },
): Pick<X402Gateway, 'settle' | 'supported'> {
  const { facilitators } = rail;
  const failedAt = new Map<string, number>();

  /** Asks one, and notes whether it answered. */
  async function ask(
    facilitator: Facilitator,
    { answers, ...request }: { endpoint: Endpoint; body?: object; answers: FacilitatorAnswer[] },
    isAnswer: Parameters<typeof askFacilitator>[3],
  ) {
    const { name } = facilitator;
    const { endpoint } = request;
    try {
      const answer = await askFacilitator(egress, facilitator, request, isAnswer);
      answers.push({ facilitator: name, endpoint, fault: null });
      return answer;
    } catch (error) {
      if (!(error instanceof FacilitatorFault)) throw error;
      answers.push({ facilitator: name, endpoint, fault: error.message });
      if (endpoint !== 'supported') failedAt.set(name, Date.now());
      return undefined;
    }
  }

  const failedLately = ({ name }: Facilitator) =>
    Date.now() - (failedAt.get(name) ?? 0) < ASKED_LAST_MS ? 1 : 0;
  const inOrder = () =>
    facilitators.toSorted((one, next) => failedLately(one) - failedLately(next));

  async function settle(payment: RecordedPayment): Promise<Verdict> {
    const body = requestOf(rail, payment);
    const answers: FacilitatorAnswer[] = [];
    const given = facilitators.length > 1 ? await holderOf(store, payment) : null;
    const asked = inOrder().filter(({ name }) => given === null || name === given);
    for (const facilitator of asked) {
      const verified = await ask(
        facilitator,
        { endpoint: 'verify', body, answers },
        ({ isValid }) => typeof isValid === 'boolean',
      );
      if (!verified) continue;
      if (!verified.isValid) return { ...refusedFor(verified.invalidReason), answers };
      // From here on it alone has the payment: whether it settles may never be told.
      if (facilitators.length > 1 && !(await hold(store, payment, facilitator))) break;
      const settled = await ask(
        facilitator,
        { endpoint: 'settle', body, answers },
        ({ success }) => typeof success === 'boolean',
      );
      if (!settled) break;
      if (settled.success === true) return { isSettled: true, answers };
      return { ...refusedFor(settled.errorReason), answers };
    }
    return { isSettled: false, reason: FACILITATOR_UNAVAILABLE, answers };
  }

  async function supported(): Promise<FacilitatorAnswer[]> {
    const answers: FacilitatorAnswer[] = [];
    for (const facilitator of facilitators) {
      const said: FacilitatorAnswer[] = [];
      const request = { endpoint: 'supported' as const, answers: said };
      const answer = await ask(facilitator, request, ({ kinds }) => Array.isArray(kinds));
      answers.push(...said);
      if (!answer || settlesOurs(rail, answer.kinds as readonly unknown[])) continue;
      const fault = `it does not settle "exact" on ${rail.network}`;
      answers.splice(-1, 1, { facilitator: facilitator.name, endpoint: 'supported', fault });
    }
    return answers;
  }
  return { settle, supported };
}

const settlesOurs = ({ network, networkV1 }: X402Rail, kinds: readonly unknown[]): boolean =>
  kinds.some((kind) => {
    const { scheme, network: on } = (kind ?? {}) as { scheme?: unknown; network?: unknown };
    return scheme === 'exact' && [network, networkV1, 'eip155:*'].includes(on as string);
  });

/** A reason of the protocol, or text that could be one. */
const refusedFor = (reason: unknown): Verdict => ({
  isSettled: false,
  reason: typeof reason === 'string' && /^[\w.-]{1,80}$/.test(reason) ? reason : 'refused',
});

/** The facilitator that was told to settle this payment. */
const holderOf = ({ redis, prefix }: Store, { id }: RecordedPayment): Promise<string | null> =>
  withTimeout(redis.get(holderKey(prefix, id)), STORE_MS_MAX);

/** Notes that this one is told to settle it. False: another was, by a run at the same time. */
async function hold(
  { redis, prefix }: Store,
  { id }: RecordedPayment,
  { name }: Facilitator,
): Promise<boolean> {
  const key = holderKey(prefix, id);
  const set = redis.set(key, name, 'PX', KEPT_MS, 'NX', 'GET');
  return [null, name].includes(await withTimeout(set, STORE_MS_MAX));
}

const holderKey = (prefix: string, id: number) => `${prefix}:x402-holder:${id}`;
