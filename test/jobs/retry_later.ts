import { expect } from 'chai';

import { runJob } from '../../workers/run_job.ts';
import type { TestPlatform } from '../harness.ts';

/** Runs a job after so many attempts; it fails, and is due so many seconds after that. */
export async function expectPutOff(
  platform: TestPlatform,
  id: string,
  { attempts, seconds }: { attempts: number; seconds: number },
): Promise<void> {
  const from = Date.now();
  expect(await runJob(platform.context, id, attempts)).to.equal(null);
  const [{ at }] = await platform.query('select run_at as at from job where id = $1', [id]);
  const putOffAt = at.getTime() - seconds * 1_000;
  expect(putOffAt, `${seconds} s before it is due`).to.be.within(from - 500, Date.now() + 500);
}
