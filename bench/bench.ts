import { parseArgs } from 'node:util';

import { orderOf } from './measure/order.ts';
import type { Slice } from './measure/statistics.ts';
import { NAMES, type Name } from './names.ts';
import { judgedOf, printRatios, printSlices } from './report.ts';
import { withDeployments } from './setup/deployments.ts';
import { machineOf } from './setup/machine.ts';
import { sidesOf } from './sides.ts';

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: 'string', default: '40' },
    /** Sides to measure, by their short names (`ratios.ts`). Absent: all. */
    only: { type: 'string', default: '' },
    /** Folder for CPU profiles. */
    profile: { type: 'string' },
    /** Length of a slice in ms. */
    ms: { type: 'string', default: '500' },
  },
});

/**
 * `npm run bench`: the cost of a purchase here, as ratios to the lowest possible costs. Both sides
 * of each ratio are measured in turn in one run, because absolute rates mean nothing on a machine
 * that others use too.
 */
await withDeployments(async (deployments) => {
  const names = Object.keys(NAMES) as Name[];
  const chosen = names.filter((name) => !options.only || options.only.split(',').includes(name));
  const { profile } = options;
  const baselines = await deployments.open('baselines');
  const machine = await machineOf(baselines);
  const sides = sidesOf(deployments, { baselines, ms: Number(options.ms), profile });
  const measures = new Map<Name, () => Promise<Slice>>();
  for (const name of chosen) measures.set(name, await sides[name]());
  const measure = async (name: Name) => {
    try {
      return await measures.get(name)!();
    } catch (error) {
      throw new Error(`${NAMES[name]} could not be measured`, { cause: error });
    }
  };
  // The first measurements are dropped: they would pay for warming up everything else.
  for (const name of chosen) await measure(name);

  const results = new Map<Name, Slice[]>(chosen.map((name) => [name, []]));
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const n of orderOf(chosen.length, round)) {
      const name = chosen[n]!;
      results.get(name)!.push(await measure(name));
    }
  }
  printSlices(results);
  printRatios(judgedOf(results), machine);
});
