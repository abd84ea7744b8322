import { setTimeout as sleep } from 'node:timers/promises';

import type { History } from './history.ts';
import type { Random } from './random.ts';

/** An agent, as far as calls are made in its name. 0: the operator. */
export interface Party {
  readonly id: number;
  readonly token: string;
}

export interface Call {
  readonly party: Party;
  readonly operation: string;
  /** `METHOD /path`. */
  readonly route: string;
  readonly body?: object;
  readonly key?: string | undefined;
  /** It may be repeated without a key: it reads, or cannot happen twice. */
  readonly repeatable?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- clients read whatever came back
  readonly body: any;
  /** An earlier try got no answer, and may still be on its way. */
  readonly doubtful?: boolean;
}

/** Undefined: nobody knows whether it happened, and repeating it could make it happen twice. */
export type Outcome = Answer | undefined;

export class GaveUp extends Error {}

const PATIENCE_MS = 8_000;
const PAUSE_MS = 150;

/**
 * A client's way to the marketplace: by whichever API, again where that is safe, until it is told
 * what became of the call. Everything it hears goes into the history.
 */
export function openLine(
  urls: readonly string[],
  { history, random, patience }: { history: History; random: Random; patience: AbortSignal },
) {
  async function ask(call: Call, wait?: number): Promise<Outcome> {
    const [method, path] = call.route.split(' ') as [string, string];
    try {
      const response = await fetch(
        `${random.pick(urls)}${path}${wait === undefined ? '' : `?wait=${wait}`}`,
        {
          method,
          headers: {
            authorization: `Bearer ${call.party.token}`,
            'content-type': 'application/json',
            ...(call.key && { 'idempotency-key': call.key }),
          },
          ...(method === 'POST' && { body: JSON.stringify(call.body ?? {}) }),
          signal: AbortSignal.timeout(PATIENCE_MS),
        },
      );
      const text = await response.text();
      const { status } = response;
      if (status >= 500 && status !== 503) {
        history.violations.push(`${call.operation} answered ${status}: ${text}`);
      }
      return { status, text, body: JSON.parse(text) };
    } catch {
      return undefined; // Refused, cut off or frozen.
    }
  }

  function note({ party, operation, key }: Call, { status, text }: Answer, jobId?: string) {
    history.heard.push({ agentId: party.id, operation, key, jobId, status, text });
  }

  /** What the job of a pending call answered in the end. */
  async function poll(call: Call, jobId: string): Promise<Outcome> {
    const { party } = call;
    const route = `GET /api/v1/jobs/${jobId}`;
    for (;;) {
      const job = await ask({ party, operation: 'get_job', route }, 5);
      if (job?.status === 404) {
        history.violations.push(`job ${jobId} of ${call.operation} was accepted and is unknown`);
        throw new GaveUp(call.operation);
      }
      const { status, result, error, http_status } = (job?.body ?? {}) as Record<string, unknown>;
      if (status === 'complete') return noted(call, jobId, { status: 200, body: result });
      if (status === 'failed')
        return noted(call, jobId, { status: Number(http_status), body: error });
      await pause(call);
    }
  }

  function noted(call: Call, jobId: string, ended: { status: number; body: unknown }): Answer {
    const outcome = { ...ended, text: JSON.stringify(ended.body) };
    note(call, outcome, jobId);
    return outcome;
  }

  async function pause({ operation }: Call): Promise<void> {
    if (patience.aborted) throw new GaveUp(operation);
    await sleep(PAUSE_MS * (0.5 + random.next()));
  }

  return async function tell(call: Call, wait?: number): Promise<Outcome> {
    const startedAt = Date.now();
    const safe = call.key !== undefined || call.repeatable;
    for (let doubtful = false; ; doubtful = true) {
      const outcome = await ask(call, wait);
      const isTold = outcome && ![429, 500, 503].includes(outcome.status);
      const jobId: string | undefined = outcome?.status === 202 ? outcome.body.job_id : undefined;
      if (isTold) note(call, outcome, jobId);
      // Some callers poll, and some repeat the call with its key.
      const polled = jobId && (!call.key || random.below(2)) ? await poll(call, jobId) : undefined;
      const answer = polled ?? (isTold && !jobId ? outcome : undefined);
      if (answer || !safe) {
        history.spans.push({ startedAt, endedAt: Date.now() });
        return answer && { ...answer, doubtful };
      }
      await pause(call);
    }
  };
}
export type Line = ReturnType<typeof openLine>;
