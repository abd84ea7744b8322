import { setTimeout as sleep } from 'node:timers/promises';

import type { History } from './history.ts';
import type { Random } from '../random.ts';

/** The agent that makes a call. 0: the operator. */
export interface Agent {
  readonly id: number;
  readonly token: string;
}

export interface Call {
  readonly agent: Agent;
  readonly operation: string;
  /** `METHOD /path`. */
  readonly route: string;
  readonly body?: object;
  readonly key?: string | undefined;
  /** It can be repeated without a key: it reads, or cannot happen twice. */
  readonly repeatable?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- clients read any answer
  readonly body: any;
  /** An earlier attempt got no answer, and may still be in flight. */
  readonly uncertain?: boolean;
}

/** Undefined: it is unknown whether the call happened, and a repeat could make it happen twice. */
export type Outcome = Answer | undefined;

export class UnansweredError extends Error {}

const TIMEOUT_MS = 8_000;
const PAUSE_MS = 150;

/**
 * A client of the marketplace: it uses any of the APIs, and repeats a call where that is safe until
 * the outcome is known. Every reply is added to the history.
 */
export function openClient(
  urls: readonly string[],
  { history, random, deadline }: { history: History; random: Random; deadline: AbortSignal },
) {
  async function send(call: Call, wait?: number): Promise<Outcome> {
    const [method, path] = call.route.split(' ') as [string, string];
    try {
      const response = await fetch(
        `${random.pick(urls)}${path}${wait === undefined ? '' : `?wait=${wait}`}`,
        {
          method,
          headers: {
            authorization: `Bearer ${call.agent.token}`,
            'content-type': 'application/json',
            ...(call.key && { 'idempotency-key': call.key }),
          },
          ...(method === 'POST' && { body: JSON.stringify(call.body ?? {}) }),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        },
      );
      const text = await response.text();
      const { status } = response;
      if (status >= 500 && status !== 503) {
        history.violations.push(`${call.operation} answered ${status}: ${text}`);
      }
      return { status, text, body: JSON.parse(text) };
    } catch {
      return undefined; // Refused, reset or timed out.
    }
  }

  function record({ agent, operation, key }: Call, { status, text }: Answer, jobId?: string) {
    history.replies.push({ agentId: agent.id, operation, key, jobId, status, text });
  }

  /** Polls the job of a pending call until it has its answer. */
  async function poll(call: Call, jobId: string): Promise<Outcome> {
    const { agent } = call;
    const route = `GET /api/v1/jobs/${jobId}`;
    for (;;) {
      const job = await send({ agent, operation: 'get_job', route }, 5);
      if (job?.status === 404) {
        history.violations.push(`job ${jobId} of ${call.operation} was accepted and is unknown`);
        throw new UnansweredError(call.operation);
      }
      const { status, result, error, http_status } = (job?.body ?? {}) as Record<string, unknown>;
      if (status === 'complete') return finish(call, jobId, { status: 200, body: result });
      if (status === 'failed')
        return finish(call, jobId, { status: Number(http_status), body: error });
      await pause(call);
    }
  }

  function finish(call: Call, jobId: string, result: { status: number; body: unknown }): Answer {
    const outcome = { ...result, text: JSON.stringify(result.body) };
    record(call, outcome, jobId);
    return outcome;
  }

  async function pause({ operation }: Call): Promise<void> {
    if (deadline.aborted) throw new UnansweredError(operation);
    await sleep(PAUSE_MS * (0.5 + random.next()));
  }

  return async function invoke(call: Call, wait?: number): Promise<Outcome> {
    const startedAt = Date.now();
    const safe = call.key !== undefined || call.repeatable;
    for (let uncertain = false; ; uncertain = true) {
      const outcome = await send(call, wait);
      const isKnown = outcome && ![429, 500, 503].includes(outcome.status);
      const jobId: string | undefined = outcome?.status === 202 ? outcome.body.job_id : undefined;
      if (isKnown) record(call, outcome, jobId);
      // Some clients poll, and some repeat the call with its key.
      const polled = jobId && (!call.key || random.below(2)) ? await poll(call, jobId) : undefined;
      const answer = polled ?? (isKnown && !jobId ? outcome : undefined);
      if (answer || !safe) {
        history.spans.push({ startedAt, endedAt: Date.now() });
        return answer && { ...answer, uncertain };
      }
      await pause(call);
    }
  };
}
export type Client = ReturnType<typeof openClient>;
