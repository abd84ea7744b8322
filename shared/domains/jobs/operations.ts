import { listJobs } from './admin/list_jobs.ts';
import { operatorJob } from './admin/operator_job.ts';
import { retryJob } from './admin/retry_job.ts';
import { forgetOldJobs } from './forget_old_jobs.ts';
import { forgetOldRows } from './forget_old_rows.ts';
import { getJob } from './get_job.ts';
import { listFaults } from './list_faults.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  getJob,
  listJobs,
  operatorJob,
  retryJob,
  listFaults,
  // Started by timers and by other operations.
  forgetOldJobs,
  forgetOldRows,
] as const;
