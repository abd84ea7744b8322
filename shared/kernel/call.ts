import type { Caller } from '../agents/caller.ts';
import type { Place } from '../platform/limiter.ts';
import type { AnyOperation } from './operation.ts';

/** The one door. REST and MCP both come in here, and nothing else does. */
export type Door = (op: AnyOperation, request: Request) => Promise<Answer>;

/** Whether and when nobody listens any more. An AbortSignal is one; HTTP has a lighter one. */
export interface Gone {
  readonly aborted: boolean;
  addEventListener(event: 'abort', leave: () => void): void;
  removeEventListener(event: 'abort', leave: () => void): void;
}

/** One call, as an interface hands it in. */
export interface Request {
  readonly token: string | undefined;
  /** Asked only once the caller is known: strangers learn nothing more than that they are. */
  readonly read: () => Given | Promise<Given>;
  /** Tool calls drop fields that they do not know; REST reports them. */
  readonly dropUnknown: boolean;
  readonly requestId: string;
  readonly gone?: Gone | undefined;
  /** Its place among the calls, where there was work to do for it before this. */
  readonly place?: Place | undefined;
  /** Told who calls, for the log. */
  readonly known?: (caller: Caller) => void;
}

/** What was sent, as it was sent. */
export interface Given {
  readonly input: unknown;
  /** The caller's own Idempotency-Key, if they sent one. */
  readonly key: string | undefined;
  /** How long to wait for a job. */
  readonly waitMs: number;
}

/** What a caller hears. Refusals that nothing was recorded of are thrown instead. */
export interface Answer {
  readonly status: number;
  /** JSON, byte for byte what a repeat with the same key hears too. */
  readonly body: string;
  /** Of a job that goes on: where to poll. */
  readonly poll?: string;
  readonly replayed?: boolean;
}

/**
 * Whether a repeat of this call can be told from a new one by its Idempotency-Key. Answers that are
 * secret are stored nowhere, so their calls are simply made again.
 */
export const takesKey = ({ mode, access, secret }: AnyOperation): boolean =>
  mode !== 'read' && !secret && access !== 'public' && access !== 'operator';
