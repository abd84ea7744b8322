import { catalog } from '../shared/composition/catalog.ts';
import { counter } from '../shared/platform/metrics.ts';

const faults = counter('market_job_faults_total', 'Attempts of jobs that failed, by operation.', [
  'operation',
]);
const givenUp = counter(
  'market_jobs_given_up_total',
  'Jobs of which every attempt failed, by operation.',
  ['operation'],
);
// Counters exist from the first scrape on, so that the first job of an operation is an increase.
for (const { name: operation, queue } of catalog.values()) {
  if (queue) for (const count of [faults, givenUp]) count.inc({ operation }, 0);
}

export const countFault = (operation: string): void => faults.inc({ operation });
export const countGivenUp = (operation: string): void => givenUp.inc({ operation });

/** Attempts of jobs that failed in this process since it started. */
export const countedFaults = async (): Promise<number> =>
  (await faults.get()).values.reduce((sum, { value }) => sum + value, 0);
