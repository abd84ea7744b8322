import { setTimeout as sleep } from 'node:timers/promises';

import { newHistory, type History } from './history.ts';
import { openClient, UnansweredError } from './client.ts';
import type { Market } from './market.ts';
import { randomOf } from '../random.ts';
import { simulateBuyer, type SimulatedBuyer } from './simulated_buyer.ts';

const THINK_MS = 120;

/** All the clients of a drill and their calls. */
export interface Workload {
  readonly history: History;
  readonly buyers: readonly SimulatedBuyer[];
  /**
   * Waits until every client has its last answer, and abandons calls without one after this time.
   */
  close(timeoutMs: number): Promise<void>;
}

export function startWorkload(
  market: Market,
  { seed, urls }: { seed: number; urls: readonly string[] },
): Workload {
  const history = newHistory();
  const [closing, deadline] = [new AbortController(), new AbortController()];
  const buyers = market.buyers.map(({ funds, ...agent }) => {
    const random = randomOf(seed * 1_000 + agent.id);
    const client = openClient(urls, { history, random, deadline: deadline.signal });
    return simulateBuyer(market, { agent, funds }, { client, random, history });
  });

  async function work(buyer: SimulatedBuyer): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await buyer.act();
      } catch (error) {
        const what =
          error instanceof UnansweredError ? `${error.message} was never answered` : error;
        history.violations.push(`agent ${buyer.agent.id}: ${String(what)}`);
        return;
      }
      await sleep(THINK_MS);
    }
  }
  const finished = Promise.all(buyers.map(work));

  return {
    history,
    buyers,
    async close(timeoutMs) {
      closing.abort();
      const timer = setTimeout(() => deadline.abort(), timeoutMs);
      await finished;
      clearTimeout(timer);
    },
  };
}
