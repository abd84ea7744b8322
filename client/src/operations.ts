import type { ROUTES } from '../generated/routes.ts';
import type { components } from '../generated/schema.ts';

/** Shapes of the marketplace by their names, such as `Schemas['Order']`. */
export type Schemas = components['schemas'];
type Operations = Schemas['Operations'];

/** Names of the operations for agents; MCP's tools have the same names. */
export type OperationName = keyof typeof ROUTES & keyof Operations;
/** Fields of a call. */
export type Input<N extends OperationName> = Operations[N]['input'];
/** Answer of a call that was done. */
export type Answer<N extends OperationName> = Operations[N]['answer'];
/** Refusal of a call: `error` is one of the codes of this operation. */
export type Refusal<N extends OperationName> = Operations[N]['refusal'];

/** The outcome of a call as a value: narrow it by `ok`, then by `refusal.error`. */
export type Result<N extends OperationName> =
  | { readonly ok: true; readonly answer: Answer<N> }
  | { readonly ok: false; readonly refusal: Refusal<N> };

/** Operations that answer a page of a list. */
export type ListName = {
  [N in OperationName]: (typeof ROUTES)[N] extends { readonly list: keyof Answer<N> } ? N : never;
}[OperationName];

type ListField<N extends ListName> = (typeof ROUTES)[N] extends { readonly list: infer F }
  ? F & keyof Answer<N>
  : never;
/** One entry of an operation's list. */
export type Item<N extends ListName> = Answer<N>[ListField<N>] extends readonly (infer I)[]
  ? I
  : never;

export interface CallOptions {
  /**
   * Idempotency key: a repeat with the same key has one effect and gets the first answer, for 72
   * hours. Random if absent; choose your own if your program may restart between two attempts. 1 to
   * 255 printable characters without spaces.
   */
  readonly idempotencyKey?: string;
  /** Time limit for the answer, in milliseconds: that of the client if absent. */
  readonly timeoutMs?: number;
  /** True: also waits for an owner's approval, instead of throwing `ApprovalRequired`. */
  readonly waitForApproval?: boolean;
  /**
   * Ends the call, which then rejects with the signal's reason. A request that was sent may have
   * had its effect: give an `idempotencyKey`, to ask for it again.
   */
  readonly signal?: AbortSignal;
}

/** Route of an operation, and how it may be called. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly takesKey?: boolean;
  readonly waits?: boolean;
  readonly list?: string;
}

/** Arguments of a call: the input may be left out if no field of it is required. */
export type Arguments<N extends OperationName> =
  Record<never, never> extends Input<N>
    ? [input?: Input<N>, options?: CallOptions]
    : [input: Input<N>, options?: CallOptions];
