import { blockLaborWorker } from './block_labor_worker.ts';
import { cancelLaborTask } from './cancel_labor_task.ts';
import { decideLaborAppeal } from './decide_labor_appeal.ts';
import { deliverLaborTask } from './deliver_labor_task.ts';
import { expireLaborTasks } from './expire_labor_tasks.ts';
import { getLaborTask } from './get_labor_task.ts';
import { judgeLaborClaim } from './judge_labor_claim.ts';
import { laborAppeal } from './labor_appeal.ts';
import { laborClaims } from './labor_claims.ts';
import { laborHeartbeat } from './labor_heartbeat.ts';
import { laborRelease } from './labor_release.ts';
import { laborResults } from './labor_results.ts';
import { listLaborAppeals } from './list_labor_appeals.ts';
import { listLaborTasks } from './list_labor_tasks.ts';
import { pauseLaborTask } from './pause_labor_task.ts';
import { postLaborTask } from './post_labor_task.ts';
import { settleDueLabor } from './settle_due_labor.ts';
import { takeLaborTask } from './take_labor_task.ts';
import { uploadLaborUnits } from './upload_labor_units.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  listLaborTasks,
  takeLaborTask,
  deliverLaborTask,
  postLaborTask,
  getLaborTask,
  laborClaims,
  laborResults,
  uploadLaborUnits,
  judgeLaborClaim,
  blockLaborWorker,
  pauseLaborTask,
  cancelLaborTask,
  laborHeartbeat,
  laborRelease,
  laborAppeal,
  listLaborAppeals,
  decideLaborAppeal,
  // Started by timers and by other operations.
  settleDueLabor,
  expireLaborTasks,
] as const;
