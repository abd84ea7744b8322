import type { Caller } from './caller.ts';
import type { Micros } from './money.ts';
import type { Permit } from '../platform/limiter.ts';
import type { Holder } from '../platform/shares/fair_queue.ts';
import type { AnyOperation } from './operation.ts';
import type { RateLimit } from './tx.ts';
import { Refusal } from './refusal.ts';

/** The entry of every interface (`kernel/invoke.ts`): REST, MCP and SSE call nothing else. */
export type Invoke = (op: AnyOperation, call: IncomingCall) => Promise<Answer>;

/**
 * Tells whether and when the caller has disconnected. An AbortSignal fits; HTTP has a cheaper form.
 */
export interface Disconnect {
  readonly aborted: boolean;
  addEventListener(event: 'abort', listener: () => void): void;
  removeEventListener(event: 'abort', listener: () => void): void;
}

/** One call, as an interface passes it on. */
export interface IncomingCall {
  readonly token: string | undefined;
  /**
   * Looks up the caller of a web session, which replaces a token. Resolves with undefined if the
   * session has ended.
   */
  readonly prove?: (() => Promise<Caller | undefined>) | undefined;
  /**
   * Reads the input. Called only after the caller is known, so that callers without a key learn
   * nothing about inputs.
   */
  readonly read: () => CallBody | Promise<CallBody>;
  /** Whether unknown fields are dropped and named, as by tools that only read; others refuse. */
  readonly dropUnknown: boolean;
  readonly requestId: string;
  /** The caller's IPv4 address, or the /64 of its IPv6 address. */
  readonly address?: string | undefined;
  readonly disconnect?: Disconnect | undefined;
  /** Whether it was already counted for the rate limit, with its message. */
  readonly isCounted?: boolean | undefined;
  /** The x402 payment of the call, decoded when needed. */
  readonly payment?: (() => unknown) | undefined;
  /** Whether a caller without a key is told the price and may pay, if the operation has one. */
  readonly isForSale?: boolean | undefined;
  /** Its permit, if work was done for the call before. */
  readonly permit?: Permit | undefined;
  /** Receives the caller, for the log. */
  readonly onCaller?: (caller: Caller) => void;
  /** Receives the state of a limit that counts this call. */
  readonly onRateLimit?: ((limit: RateLimit) => void) | undefined;
}

/** The body of a call, unchanged. */
export interface CallBody {
  readonly input: unknown;
  /** The caller's Idempotency-Key, if one was sent. */
  readonly key: string | undefined;
  /** Time to wait for a job. */
  readonly waitMs: number;
  /** Whether the call is only to be tried. */
  readonly isDryRun?: boolean;
}

/** Receipt of a settled x402 payment: the money is in the wallet, whatever became of the call. */
export interface Receipt {
  readonly transaction: string;
  readonly network: string;
  readonly payer: string;
  readonly amount: Micros;
}

/** The answer to a caller. Refusals of calls that were not recorded are thrown instead. */
export interface Answer {
  readonly status: number;
  /** JSON; a repeat with the same key gets the same bytes. */
  readonly body: string;
  /** Id of the job that performs the call, if one does. */
  readonly jobId?: string;
  /** The path to poll, if the job is still pending. */
  readonly poll?: string;
  readonly replayed?: boolean;
  /** Set if the call was only tried, and has done nothing. */
  readonly isDryRun?: boolean;
  /** Set if the call waited for the end of an earlier one with its key, and did nothing itself. */
  readonly isShared?: boolean;
  /** The receipt, if the call was paid by x402. */
  readonly receipt?: Receipt | undefined;
  /** The x402 payment that would resolve the refusal. */
  readonly due?: Micros | undefined;
}

/**
 * The holder whose share of a process a call uses: the tree of its agent, because agents spawn
 * agents at will; without a key, its address.
 */
export const holderOf = ({
  caller: { rootId, operator },
  address = '',
}: {
  readonly caller: Caller;
  readonly address?: string | undefined;
}): Holder => (operator === undefined ? rootId || address : `operator ${operator}`);

/**
 * Whether an Idempotency-Key identifies repeats of this call. Secret answers are not stored, so
 * their calls are simply made again.
 */
export const takesKey = ({ mode, access, stored }: AnyOperation): boolean =>
  mode !== 'read' && !stored?.secret && access !== 'public';

/** The key as it is recorded. Operators have no agent, so the key of each begins with its name. */
export const recordedKeyOf = (
  { operator }: Pick<Caller, 'operator'>,
  key: string | undefined,
): string | undefined => {
  const valid = keyOf(key);
  return valid !== undefined && operator !== undefined ? `operator ${operator}: ${valid}` : valid;
};

const KEY_CHARS_MAX = 255;

/** Validates an Idempotency-Key. */
function keyOf(key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > KEY_CHARS_MAX) {
    throw new Refusal(
      'validation_error',
      `Idempotency-Key must be 1 to ${KEY_CHARS_MAX} visible ASCII characters.`,
      { fields: [{ pointer: '/idempotency_key', message: 'is invalid' }] },
    );
  }
  return key;
}
