import { setTimeout as sleep } from 'node:timers/promises';

import { newHistory, type History } from './history.ts';
import { GaveUp, openLine } from './client.ts';
import type { Market } from './market.ts';
import { randomOf } from './random.ts';
import { openShopper, type Shopper } from './simulated_buyer.ts';

const THINK_MS = 120;

/** All the clients of a drill at their work. */
export interface Trade {
  readonly history: History;
  readonly shoppers: readonly Shopper[];
  /** Has everybody finish what they are at, and give up what is not answered by then. */
  close(patienceMs: number): Promise<void>;
}

export function startTrade(
  market: Market,
  { seed, urls }: { seed: number; urls: readonly string[] },
): Trade {
  const history = newHistory();
  const [closing, patience] = [new AbortController(), new AbortController()];
  const shoppers = market.buyers.map(({ funds, ...party }) => {
    const random = randomOf(seed * 1_000 + party.id);
    const line = openLine(urls, { history, random, patience: patience.signal });
    return openShopper(market, { party, funds }, { line, random, history });
  });

  async function work(shopper: Shopper): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await shopper.act();
      } catch (error) {
        const what = error instanceof GaveUp ? `${error.message} was never answered` : error;
        history.violations.push(`agent ${shopper.party.id}: ${String(what)}`);
        return;
      }
      await sleep(THINK_MS);
    }
  }
  const worked = Promise.all(shoppers.map(work));

  return {
    history,
    shoppers,
    async close(patienceMs) {
      closing.abort();
      const timeUp = setTimeout(() => patience.abort(), patienceMs);
      await worked;
      clearTimeout(timeUp);
    },
  };
}
