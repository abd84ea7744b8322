import type { Caller } from '../agents/caller.ts';
import type { Micros } from '../ledger/money.ts';
import type { Permit } from '../platform/limiter.ts';
import type { Holder } from '../platform/shares/fair_queue.ts';
import type { AnyOperation, RateLimit } from './operation.ts';
import { Refusal } from './refusal.ts';

/** Where every interface comes in (`kernel/invoke.ts`): REST, MCP and SSE call nothing else. */
export type Invoke = (op: AnyOperation, call: IncomingCall) => Promise<Answer>;

/**
 * Whether and when the caller has disconnected. An AbortSignal is one; HTTP has a cheaper one.
 */
export interface Disconnect {
  readonly aborted: boolean;
  addEventListener(event: 'abort', listener: () => void): void;
  removeEventListener(event: 'abort', listener: () => void): void;
}

/** One call, as an interface hands it in. */
export interface IncomingCall {
  readonly token: string | undefined;
  /**
   * Instead of a token: the caller that a web session proves, looked up each time. Undefined: it is
   * over.
   */
  readonly prove?: (() => Promise<Caller | undefined>) | undefined;
  /**
   * Called only once the caller is known, so that callers without a key learn nothing about inputs.
   */
  readonly read: () => CallBody | Promise<CallBody>;
  /** Tools that only read drop fields that they do not know, and name them; all else refuses. */
  readonly dropUnknown: boolean;
  readonly requestId: string;
  /** Where it came from: an IPv4 address, or the /64 of an IPv6 one. */
  readonly address?: string | undefined;
  readonly disconnect?: Disconnect | undefined;
  /** Whether it was counted with its message, for its caller's rate limit. */
  readonly isCounted?: boolean | undefined;
  /** A payment by x402 that came with it, decoded when it is needed. */
  readonly payment?: (() => unknown) | undefined;
  /** Who has no key is told what it costs, and may pay for it, where it can be paid for. */
  readonly isForSale?: boolean | undefined;
  /** Its permit, where there was work to do for the call before this. */
  readonly permit?: Permit | undefined;
  /** Told which agent calls, for the log. */
  readonly onCaller?: (caller: Caller) => void;
  /** Told of a limit that counts this call. */
  readonly onRateLimit?: ((limit: RateLimit) => void) | undefined;
}

/** What was sent, as it was sent. */
export interface CallBody {
  readonly input: unknown;
  /** The caller's Idempotency-Key, if one was sent. */
  readonly key: string | undefined;
  /** How long to wait for a job. */
  readonly waitMs: number;
}

/** That a payment by x402 is settled, and in the wallet, whatever became of its call. */
export interface Receipt {
  readonly transaction: string;
  readonly network: string;
  readonly payer: string;
  readonly amount: Micros;
}

/** What a caller is answered. Refusals of calls that were not recorded are thrown instead. */
export interface Answer {
  readonly status: number;
  /** JSON, byte for byte what a repeat with the same key is answered too. */
  readonly body: string;
  /** Of a job that is still pending: where to poll. */
  readonly poll?: string;
  readonly replayed?: boolean;
  /** Of a call that was paid for by x402. */
  readonly receipt?: Receipt | undefined;
  /** Of a refusal that a payment by x402 would cure: how much of one. */
  readonly due?: Micros | undefined;
}

/**
 * Whose share of a process a call uses: that of the tree of its agent, because agents spawn agents
 * at will; without a key, that of its address.
 */
export const holderOf = ({
  caller: { rootId, operator },
  address = '',
}: {
  readonly caller: Caller;
  readonly address?: string | undefined;
}): Holder => (operator === undefined ? rootId || address : `operator ${operator}`);

/**
 * Whether a repeat of this call can be told from a new one by its Idempotency-Key. Answers that are
 * secret are not stored, so their calls are simply made again.
 */
export const takesKey = ({ mode, access, secret }: AnyOperation): boolean =>
  mode !== 'read' && !secret && access !== 'public' && access !== 'operator';

const KEY_CHARS_MAX = 255;

/** An Idempotency-Key, if it may be one. */
export function keyOf(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > KEY_CHARS_MAX) {
    throw new Refusal(
      'validation_error',
      `Idempotency-Key must be 1 to ${KEY_CHARS_MAX} visible ASCII characters.`,
      { fields: [{ pointer: '/idempotency_key', message: 'is not a valid key' }] },
    );
  }
  return key;
}
