import { randomUUID } from 'node:crypto';

import { CODES } from '../../../shared/kernel/refusal.ts';
import type { Agent, Call } from '../calls/call.ts';
import type { Answer, Client } from '../calls/client.ts';
import { countsOf, type History } from '../calls/history.ts';
import type { Random } from '../random.ts';

/** A wallet's balances, in micro-dollars. */
export interface Wallet {
  micros: number;
  /** Proxies that were paid, apart from those of connections. */
  proxies: number;
}

interface PerformOptions {
  /** How long to wait for a job, in seconds. */
  readonly wait?: number;
  /** Sends the call twice at the same time, as some clients do. */
  readonly twice?: boolean;
  /** Finds out at the end what became of a call without a key. */
  readonly look?: () => Promise<void>;
}

type OnAnswer = (answer: Answer) => void;

/** An agent that calls, and computes from the replies what its wallet and its goods must be. */
export interface Trader {
  readonly agent: Agent;
  readonly wallet: Wallet;
  readonly random: Random;
  readonly history: History;
  /** Calls that read, or that need no outcome. */
  readonly client: Client;
  /** Notes a violation. */
  readonly wrong: (what: string) => void;
  /** Makes a key with which no call can happen twice. */
  newKey(operation: string): string;
  /**
   * Makes a call that changes something, and hands on its answer: now, or if no answer came, when a
   * repeat with the same key got one.
   */
  perform(call: Call, onAnswer: OnAnswer, options?: PerformOptions): Promise<void>;
  /** Something happens whose end this client does not know yet: `settle` waits for that. */
  expect(operation: string, settle: () => Promise<void>): void;
  /** The same, known only when nothing is in flight any more. */
  expectLast(operation: string, settle: () => Promise<void>): void;
  /** Whether what the wallet must hold is not known at the moment. */
  hasDoubts(): boolean;
  /** Settles one doubt that can be settled while others trade. */
  settleOne(): Promise<void>;
  /** Settles all. When `isQuiet`, no job is pending and no call in flight. */
  settleAll(isQuiet: boolean): Promise<void>;
}

/**
 * When a doubt can be settled: now; by a repeat that is the last word, because nothing is in flight
 * any more; by looking at what there is after all of those.
 */
const STAGES = ['now', 'repeat', 'look'] as const;
type Stage = (typeof STAGES)[number];

interface Doubt {
  readonly operation: string;
  readonly stage: Stage;
  readonly settle: () => Promise<void>;
}

/** One call with a key in this number is not repeated at once when no answer comes. */
const ONCE_ONE_IN = 5;

export function openTrader(
  { agent, wallet }: { agent: Agent; wallet: Wallet },
  { client, random, history }: { client: Client; random: Random; history: History },
): Trader {
  const doubts: Doubt[] = [];

  function doubt(operation: string, stage: Stage, settle: () => Promise<void>): void {
    countsOf(history, operation).doubtful += 1;
    doubts.push({ operation, stage, settle });
  }

  async function settle(chosen: Doubt): Promise<void> {
    await chosen.settle();
    doubts.splice(doubts.indexOf(chosen), 1);
    countsOf(history, chosen.operation).settled += 1;
  }

  /** A refusal that left the key free, after an attempt that may happen yet. */
  const mayHappenYet = ({ uncertain, status, body }: Answer): boolean => {
    const code = CODES[body?.error as keyof typeof CODES] as { retryable: boolean } | undefined;
    return uncertain === true && ([402, 409].includes(status) || code?.retryable === true);
  };

  async function repeat(call: Call, onAnswer: OnAnswer, isLast: boolean): Promise<void> {
    const answer = (await client(call))!;
    if (!isLast && mayHappenYet({ ...answer, uncertain: true })) {
      return repeatLast(call, onAnswer);
    }
    onAnswer({ ...answer, uncertain: true });
  }

  const repeatLast = (call: Call, onAnswer: OnAnswer): void =>
    doubt(call.operation, 'repeat', () => repeat(call, onAnswer, true));

  /** An API that was frozen may perform what it was sent long ago, if its key is forgotten. */
  function end({ agent: { id }, key }: Call): void {
    if (key !== undefined) history.ended.push(`${id} ${key}`);
  }

  return {
    agent,
    wallet,
    random,
    history,
    client,
    wrong: (what) => void history.violations.push(`agent ${agent.id}: ${what}`),
    newKey: (operation) => `${operation}-${randomUUID()}`,

    async perform(call, onAnswer, { wait, twice = false, look } = {}) {
      const once = call.key !== undefined && random.below(ONCE_ONE_IN) === 0;
      const options = { once, ...(wait !== undefined && { wait }) };
      const answers = await Promise.all([
        client(call, options),
        ...(twice ? [client(call, { once })] : []),
      ]);
      const done = answers.find((answer) => answer?.status === 200);
      const [refused] = answers;
      if (!done && look && refused === undefined) return doubt(call.operation, 'look', look);
      if (!done && answers.some((answer) => answer === undefined)) {
        return doubt(call.operation, 'now', () => repeat(call, onAnswer, false));
      }
      if (!done && answers.some((answer) => mayHappenYet(answer!))) {
        return repeatLast(call, onAnswer);
      }
      if (answers.every((answer) => answer?.uncertain === false)) end(call);
      const answer = (done ?? refused)!;
      onAnswer(twice ? { ...answer, uncertain: true } : answer);
    },
    expect: (operation, until) => doubt(operation, 'now', until),
    expectLast: (operation, until) => doubt(operation, 'look', until),
    hasDoubts: () => doubts.length > 0,
    async settleOne() {
      const early = doubts.find(({ stage }) => stage === 'now');
      if (early) await settle(early);
    },
    async settleAll(isQuiet) {
      for (const stage of isQuiet ? STAGES : STAGES.slice(0, 1)) {
        for (const each of doubts.filter((one) => one.stage === stage)) await settle(each);
      }
    },
  };
}
