import { join } from 'node:path';

import { buildCached } from '../../local/build.mjs';
import { cacheFolder } from '../../local/paths.ts';
import type { Deployment, Deployments } from './deployments.ts';
import { bringBooksUpToDate } from './books.ts';
import { addPastOrders } from './past_orders.ts';
import { makeBuyers, populate, type Buyer, type Population } from './populate.ts';

/** The marketplace like `npm start` runs it: an API process and a worker, with products on sale. */
export interface Platform {
  readonly deployment: Deployment;
  readonly population: Population;
  /** A buyer with many open orders; below, one with none. */
  readonly buyerOfMany: Buyer;
  readonly buyerOfNone: Buyer;
  readonly port: number;
  readonly pids: {
    readonly api: number;
    readonly worker: number;
    readonly postgres: number;
    readonly redis: number;
  };
  /** Starts this many more API and worker processes, and resolves with the ports of the APIs. */
  startMore(count: number): Promise<readonly number[]>;
  /** Stops its first programs. */
  stop(): Promise<void>;
}

interface PlatformOptions {
  readonly name: string;
  /** Units of each product: more than a run sells. */
  readonly units: number;
  readonly pastOrders: number;
  /** Open orders of one buyer, still in escrow. */
  readonly openOrders?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Folder for CPU profiles. */
  readonly profile?: string | undefined;
}

export async function openPlatform(
  deployments: Deployments,
  { name, units, pastOrders, openOrders = 0, env = {}, profile }: PlatformOptions,
): Promise<Platform> {
  const deployment = await deployments.open(name);
  const owner = await deployment.admin();
  const population = await populate(deployment, owner, units);
  const { products } = population;
  const [buyerOfMany, buyerOfNone] = await makeBuyers(deployment, owner, 2);
  // Sessions keep their first plans, and those for an empty table read all of it.
  await addPastOrders(owner, population, { orders: pastOrders });
  const many = { buyers: [buyerOfMany!], products };
  await addPastOrders(owner, many, { orders: openOrders, areOpen: true });
  await owner.destroy();
  await bringBooksUpToDate(deployment);
  const programs = await startPrograms(deployment, { env, profile });
  return {
    deployment,
    population,
    buyerOfMany: buyerOfMany!,
    buyerOfNone: buyerOfNone!,
    ...programs,
  };
}

/** The programs of a platform, from the bundles of `npm start`. */
export async function startPrograms(
  deployment: Deployment,
  { env, profile }: Pick<PlatformOptions, 'env' | 'profile'> = {},
) {
  const start = async (name: string) =>
    deployment.start(join(await builtFolder(), `${name}.js`), {
      ...(env && { env }),
      ...(profile && { flags: ['--cpu-prof', `--cpu-prof-dir=${profile}/${name}`] }),
    });
  const [api, worker] = await Promise.all([start('api'), start('worker')]);
  const pids = { api: api.pid, worker: worker.pid, ...deployment.pids };
  return {
    port: api.ready.port,
    pids,
    async startMore(count: number) {
      const more = await Promise.all(
        Array.from({ length: count }, () => Promise.all([start('api'), start('worker')])),
      );
      return more.map(([{ ready }]) => ready.port);
    },
    async stop() {
      await Promise.all([api.stop(), worker.stop()]);
    },
  };
}

let built: Promise<string> | undefined;
/** Folder of the programs, built once a run. */
export const builtFolder = () => (built ??= buildCached(join(cacheFolder, 'build')));
