import type { ROUTES } from '../generated/routes.ts';
import type { components } from '../generated/schema.ts';

/** The shapes of the marketplace by their names, as `Schemas['Order']`. */
export type Schemas = components['schemas'];
type Operations = Schemas['Operations'];

/** What an agent may call; the names are those of the tools of MCP. */
export type OperationName = keyof typeof ROUTES & keyof Operations;
/** The fields that a call takes. */
export type Input<N extends OperationName> = Operations[N]['input'];
/** What a call answers when it has done what it was asked. */
export type Answer<N extends OperationName> = Operations[N]['answer'];
/** What a call answers instead: `error` is one of the codes that this operation can refuse with. */
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
/** One entry of the list that an operation answers. */
export type Item<N extends ListName> = Answer<N>[ListField<N>] extends readonly (infer I)[]
  ? I
  : never;

export interface CallOptions {
  /**
   * Names this call: a repeat with the same key has one effect and gets the first answer, for 72
   * hours. A random one is made if absent; give your own where your program may start again
   * between two attempts. 1 to 255 printable characters without spaces.
   */
  readonly idempotencyKey?: string;
  /** How long to wait for the answer, in milliseconds: if absent, as long as the client does. */
  readonly timeoutMs?: number;
  /** Waits for an owner's approval too, instead of throwing `ApprovalRequired`. */
  readonly waitForApproval?: boolean;
  /**
   * Ends the call, which then rejects with the signal's reason. What was sent may have had its
   * effect: give an `idempotencyKey`, to ask for it again.
   */
  readonly signal?: AbortSignal;
}

/** Where an operation is, and how it may be called. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly takesKey?: boolean;
  readonly waits?: boolean;
  readonly list?: string;
}

/** Arguments of a call: the input may be left out where no field of it is required. */
export type Arguments<N extends OperationName> =
  Record<never, never> extends Input<N>
    ? [input?: Input<N>, options?: CallOptions]
    : [input: Input<N>, options?: CallOptions];
