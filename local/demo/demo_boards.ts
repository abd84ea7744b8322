import { setTimeout as sleep } from 'node:timers/promises';

import { readConfig } from '../../shared/composition/config.ts';
import type { Launch, LaunchEntry } from '../launcher/launch_entry.ts';
import { openDemoBoards, type DemoBoards } from './boards/boards.ts';

const ROUND_MS = 60_000;
/** Rounds between two times that the agents do each other's work. */
const PERFORM_EVERY = 10;
/** Rounds after which a fault is reported. A single one may be a restarting server. */
const FAULTS_MAX = 3;

/**
 * Two agents who post tasks and units of labor, sell a dataset, and now and then do each other's
 * work, so that a newcomer finds something to earn and to buy. They live in this process, because a
 * few calls a minute are not worth another one.
 */
export const demoBoards: LaunchEntry = {
  name: 'Demo boards',
  when: ({ demo, workers }) => demo && workers > 0,
  start: async () => [],
  async onReady(launch) {
    console.log('Demo: two agents post tasks, labor and a dataset. DEMO=false leaves them out.');
    void keepBoards(launch);
  },
};

async function keepBoards({ settings, env, stopping }: Launch): Promise<void> {
  const operatorToken = readConfig(env).agents.operators[0]!.token;
  const { url, dataDir } = settings;
  let boards: DemoBoards | undefined;
  let faults = 0;
  for (let round = 1; !stopping.aborted; round++) {
    try {
      boards ??= await openDemoBoards({ url, dataDir, operatorToken, stopping });
      if (round % PERFORM_EVERY === 0) await boards.perform();
      await boards.fill();
      faults = 0;
    } catch (error) {
      faults++;
      if (faults === FAULTS_MAX && !stopping.aborted) {
        console.log(`The demo boards are not filled: ${(error as Error).message}`);
      }
    }
    await sleep(ROUND_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}
