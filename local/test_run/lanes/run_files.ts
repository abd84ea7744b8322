import { join } from 'node:path';

import type { Environment } from '../../../shared/platform/config/environment.ts';
import { openLaneProcess, type FileResult, type LaneProcess } from './lane_process.ts';
import type { Progress } from '../progress.ts';
import { needsServers } from '../test_files.ts';
import { makeServerTemplate, startTestServers, type TestServers } from './test_servers.ts';

interface RunPlan {
  /** In the order in which they begin. */
  readonly files: readonly string[];
  /** How many run at the same time. */
  readonly lanes: number;
  readonly env: Environment;
  /** Where servers keep their data. */
  readonly folder: string;
  readonly node: string;
  readonly grep?: string | undefined;
  readonly spec?: boolean;
  /** No file begins after it; of `Date.now()`. */
  readonly deadline: number;
  readonly progress?: Progress | undefined;
}

export interface FilesRun {
  readonly results: readonly FileResult[];
  /** The files that the deadline left out. */
  readonly left: readonly string[];
}

export interface RunningFiles {
  readonly ended: Promise<FilesRun>;
  stop(): Promise<void>;
}

/** Runs test files in lanes, each a process with a PostgreSQL and a Redis of its own. */
export function runFiles(plan: RunPlan): RunningFiles {
  const queue = [...plan.files];
  const results: FileResult[] = [];
  const lanes: LaneProcess[] = [];
  const servers: TestServers[] = [];
  let stopping = false;

  const isOver = () => stopping || Date.now() > plan.deadline;

  async function runLane(n: number, open: () => Promise<Environment>): Promise<void> {
    const urls = await open();
    if (stopping) return;
    const lane = openLaneProcess({ env: { ...plan.env, ...urls }, node: plan.node });
    lanes.push(lane);
    while (!isOver()) {
      const file = queue.shift();
      if (file === undefined) break;
      plan.progress?.begin(file);
      const result = await lane.run({ file, grep: plan.grep, spec: plan.spec });
      if (stopping) return;
      results.push(result);
      plan.progress?.end(result);
    }
    await lane.stop();
    await stopServers(servers[n]);
  }

  async function runAll(): Promise<FilesRun> {
    const count = Math.min(plan.lanes, queue.length);
    const openers = plan.files.some((file) => needsServers(file))
      ? await serverOpeners(plan.folder, count, servers)
      : Array.from({ length: count }, () => () => Promise.resolve({}));
    await Promise.all(openers.map((open, n) => runLane(n, open)));
    return { results, left: queue };
  }

  return {
    ended: runAll(),
    async stop() {
      stopping = true;
      await Promise.all(lanes.map((lane) => lane.stop()));
      await Promise.all(servers.map(stopServers));
    },
  };
}

/** The first alone, because Redis may have to be fetched, which it does for all. */
async function serverOpeners(folder: string, count: number, servers: TestServers[]) {
  const template = await makeServerTemplate(folder);
  const start = async (n: number) => {
    const started = await startTestServers(join(folder, `lane-${n}`), template);
    servers[n] = started;
    return started.urls;
  };
  const first = await start(0);
  return Array.from({ length: count }, (_, n) =>
    n === 0 ? () => Promise.resolve(first) : () => start(n),
  );
}

async function stopServers(servers: TestServers | undefined): Promise<void> {
  await Promise.all([servers?.postgres.stop(), servers?.redis.stop()]);
}
