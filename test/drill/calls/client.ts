import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { catalog } from '../../../shared/composition/catalog.ts';
import type { Random } from '../random.ts';
import { countsOf, type History } from './history.ts';
import { OPERATOR, type Agent, type Call, type Reply } from './call.ts';
import { interfacesOf, isTool, UnreadableReply, type Interface } from './interfaces.ts';
import { openStreamOf } from './stream.ts';

export interface Answer extends Reply {
  /** Another attempt was sent too, which may have been first, or still be in flight. */
  readonly uncertain?: boolean;
  /** Request id of the attempt that was answered. */
  readonly requestId?: string;
}

/** Undefined: it is unknown whether the call happened. */
export type Outcome = Answer | undefined;

interface InvokeOptions {
  /** How long to wait for a job, in seconds. */
  readonly wait?: number;
  /** It is not repeated here when no answer comes. */
  readonly once?: boolean;
  /** Told of every sending. */
  readonly onSend?: (requestId: string) => void;
}

export class UnansweredError extends Error {}

const PAUSE_MS = 150;
const INTERFACES = { REST: 4, MCP: 2, 'MCP tool call': 1, 'MCP stream': 2 } as const;

/**
 * A client of the marketplace, for one agent and those that act for it: it uses any of the APIs and
 * interfaces, and repeats a call where that is safe until the outcome is known. Every reply is
 * added to the history.
 */
export function openClient(
  self: Agent,
  urls: readonly string[],
  { history, random, deadline }: { history: History; random: Random; deadline: AbortSignal },
) {
  const stream = openStreamOf(self.token, { urls, random });
  const interfaces = interfacesOf(stream.call);

  async function send(call: Call, by: Interface, { wait, onSend }: InvokeOptions) {
    const { operation } = call;
    const requestId = `drill-${randomUUID()}`;
    onSend?.(requestId);
    try {
      const reply = await interfaces[by]({ base: random.pick(urls), call, requestId, wait });
      if (reply && reply.status >= 500 && reply.status !== 503) {
        history.violations.push(`${operation} answered ${reply.status}: ${reply.text}`);
      }
      return reply && { ...reply, requestId };
    } catch (error) {
      if (error instanceof UnreadableReply) {
        history.violations.push(`${operation} by ${by}: ${error.message}`);
      }
      return undefined; // Refused, reset or timed out.
    }
  }

  function pickInterface({ agent, operation }: Call): Interface {
    const by = random.weighted<Interface>(INTERFACES);
    if (!isTool(operation)) return 'REST';
    return by === 'MCP stream' && agent.id !== self.id ? 'MCP' : by;
  }

  function record({ agent, operation, key }: Call, { status, text }: Answer, jobId?: string) {
    history.replies.push({ agentId: agent.id, operation, key, jobId, status, text });
  }

  /** Polls the job of a pending call until it has its answer. */
  async function poll(call: Call, jobId: string): Promise<Outcome> {
    const operation = call.agent === OPERATOR ? 'operator_job' : 'get_job';
    const look: Call = { agent: call.agent, operation, input: { job_id: jobId } };
    for (;;) {
      const job = await send(look, 'REST', { wait: 5 });
      if (job?.status === 404) {
        history.violations.push(`job ${jobId} of ${call.operation} was accepted and is unknown`);
        throw new UnansweredError(call.operation);
      }
      const { status, result, error, http_status, approval } = (job?.body ?? {}) as Record<
        string,
        unknown
      >;
      if (approval) return finish(call, jobId, { status: 202, body: approval });
      if (status === 'complete') return finish(call, jobId, { status: 200, body: result });
      if (status === 'failed')
        return finish(call, jobId, { status: Number(http_status), body: error });
      await pause(call.operation);
    }
  }

  function finish(call: Call, jobId: string, result: { status: number; body: unknown }): Answer {
    const outcome = { ...result, text: JSON.stringify(result.body) };
    record(call, outcome, jobId);
    return outcome;
  }

  async function pause(operation: string): Promise<void> {
    if (deadline.aborted) throw new UnansweredError(operation);
    await sleep(PAUSE_MS * (0.5 + random.next()));
  }

  async function invoke(call: Call, options: InvokeOptions = {}): Promise<Outcome> {
    if (call.repeatable && call.key === undefined && spends(call)) {
      throw new Error(`${call.operation} spends, and is repeated without a key`);
    }
    const startedAt = Date.now();
    const isSafe = (call.key !== undefined || call.repeatable) && !options.once;
    const counts = countsOf(history, call.operation);
    counts.calls += 1;
    for (let uncertain = false; ; uncertain = true) {
      const by = pickInterface(call);
      const outcome = await send(call, by, options);
      // The others say that nothing was done, or that it is not known.
      const isKnown = outcome && ![408, 429, 500, 503].includes(outcome.status);
      const jobId: string | undefined = outcome?.status === 202 ? outcome.body.job_id : undefined;
      if (isKnown) record(call, outcome, jobId);
      // Some clients poll, and some repeat the call with its key.
      const polls = jobId && (!isSafe || !call.key || random.below(2));
      const polled = polls ? await poll(call, jobId) : undefined;
      const answer = polled ?? (isKnown && !jobId ? outcome : undefined);
      if (answer) {
        counts.answered += 1;
        if (answer.status === 200) counts.performed += 1;
        history.interfaces.set(by, (history.interfaces.get(by) ?? 0) + 1);
        const { operation } = call;
        history.spans.push({ operation, startedAt, endedAt: Date.now() });
        return { ...answer, uncertain };
      }
      if (!isSafe) return undefined;
      await pause(call.operation);
    }
  }
  return Object.assign(invoke, { pause, close: stream.close });
}

/** A call without a key, and not answered, may be performed long after its repeat. */
const spends = ({ operation }: Call): boolean =>
  catalog.get(operation)?.refusals?.includes('insufficient_balance') === true;

export type Client = ReturnType<typeof openClient>;
