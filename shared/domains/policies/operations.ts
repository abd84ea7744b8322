import { findAnomalies } from './anomalies/find_anomalies.ts';
import { monitorAgent } from './monitor_agent.ts';
import { operatorResumeAgent } from './operator_resume_agent.ts';
import { operatorSuspendAgent } from './operator_suspend_agent.ts';
import { resumeAgent } from './resume_agent.ts';
import { setPolicy } from './set_policy.ts';
import { watchSpending } from './watch_spending.ts';
import { suspendAgent } from './suspend_agent.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  monitorAgent,
  setPolicy,
  suspendAgent,
  resumeAgent,
  operatorSuspendAgent,
  operatorResumeAgent,
  // Started by timers and by other operations.
  findAnomalies,
  watchSpending,
] as const;
