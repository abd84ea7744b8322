import { SCOPES, type Scope } from '../agents/agents.ts';
import type { JobAnswer } from '../jobs/jobs.ts';
import { catalog } from '../kernel/catalog.ts';
import { CODES, type Refusal, type RefusalCode } from '../kernel/refusal.ts';

/** The one shape of every error, of every interface, as JSON. */
export function errorBody({ code, message, details, next }: Refusal, requestId: string): string {
  return JSON.stringify({
    success: false,
    error: code,
    message,
    details,
    retryable: CODES[code].retryable,
    next_actions: [...NEXT_ACTIONS[code], ...next.map(nextActionOf)],
    request_id: requestId,
  });
}

/** The answer of a job that ended in this refusal. */
export const refusalAnswer = (id: string, refusal: Refusal, requestId: string): JobAnswer => ({
  id,
  status: 'failed',
  httpStatus: refusal.status,
  answer: errorBody(refusal, requestId),
  freesKey: !refusal.bindsKey,
});

/** How to call the operations that help. */
export interface NextAction {
  readonly tool: string;
  readonly route: string;
  /** What a key needs for it. Absent: any key may call it. */
  readonly scope?: Scope;
}

/** By code. A code that names an operation that no caller can call must not start. */
export const NEXT_ACTIONS = Object.fromEntries(
  Object.entries(CODES).map(([code, { next }]) => [code, next.map(nextActionOf)]),
) as Record<RefusalCode, NextAction[]>;

function nextActionOf(name: string): NextAction {
  const { rest: route, access } = catalog.get(name) ?? {};
  if (!route) throw new Error(`a refusal names ${name}, which no caller can call`);
  const scope = SCOPES.find((one) => one === access);
  return { tool: name, route, ...(scope && { scope }) };
}
