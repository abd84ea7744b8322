import { SCOPES, type Scope } from '../kernel/caller.ts';
import type { JobAnswer } from '../kernel/terms/job_answer.ts';
import { catalog } from './catalog.ts';
import { CODES, type Refusal, type RefusalCode } from '../kernel/refusal.ts';

/**
 * The JSON of an error, the same over every interface. `next`: names of the operations that help,
 * where an interface has others than those of the code.
 */
export function errorBody(
  { code, message, details, next: further }: Refusal,
  requestId: string,
  next?: readonly string[],
): string {
  return JSON.stringify({
    success: false,
    error: code,
    message,
    details,
    retryable: CODES[code].retryable,
    next_actions: next?.map(nextActionOf) ?? [...NEXT_ACTIONS[code], ...further.map(nextActionOf)],
    request_id: requestId,
  });
}

/** Operations that help after a refusal of this one, where they are not those of the code. */
export const nextAfter = (operation: string | undefined): readonly string[] | undefined =>
  // Those of the codes are calls of agents, which an operator cannot make.
  catalog.get(operation ?? '')?.access === 'operator' ? [] : undefined;

/** The answer of a job of this operation that ended with this refusal. */
export const refusalAnswer = (
  id: string,
  refusal: Refusal,
  requestId: string,
  operation?: string,
): JobAnswer => ({
  id,
  status: 'failed',
  httpStatus: refusal.status,
  answer: errorBody(refusal, requestId, nextAfter(operation)),
  freesKey: !refusal.bindsKey,
});

/** A call that can resolve the refusal. */
interface NextAction {
  readonly tool: string;
  readonly route: string;
  /** Scope that the key needs. Absent: any key may call it. */
  readonly scope?: Scope;
}

/** Next actions by code. The process must not start if a code names an uncallable operation. */
export const NEXT_ACTIONS = Object.fromEntries(
  Object.entries(CODES).map(([code, { next }]) => [code, next.map(nextActionOf)]),
) as Record<RefusalCode, NextAction[]>;

function nextActionOf(name: string): NextAction {
  const { rest: route, access } = catalog.get(name) ?? {};
  if (!route) throw new Error(`a refusal names ${name}, which no caller can call`);
  const scope = SCOPES.find((one) => one === access);
  return { tool: name, route, ...(scope && { scope }) };
}
