import { closeContext, openContext } from '../../shared/composition/open_context.ts';
import { look } from '../../workers/due_jobs.ts';
import { cpuMeter } from '../measure/cpu_meter.ts';
import type { Deployment } from '../setup/deployments.ts';

const LOOKS_BEFORE = 50;
const LOOKS = 500;

/** PostgreSQL's CPU in µs for a look of the dispatcher that finds nothing. */
export async function measureLooks({ config, pids }: Deployment): Promise<number> {
  const context = await openContext(config, { process: 'looks' });
  const repeat = async (looks: number) => {
    for (let n = 0; n < looks; n += 1) await look(context, { latencies: '{}', durations: '{}' });
  };
  await repeat(LOOKS_BEFORE);
  const { snapshot, perCall } = cpuMeter({ postgres: pids.postgres });
  snapshot();
  await repeat(LOOKS);
  snapshot();
  await closeContext(context);
  return perCall(LOOKS).postgres!;
}
