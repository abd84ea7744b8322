import { disputeEvidence } from './dispute_evidence.ts';
import { firstSteps } from './first_steps.ts';
import { listAuditLog } from './list_audit_log.ts';
import { moneyBoard } from './money_board.ts';
import { operatorFind } from './operator_find.ts';
import { operatorMachine } from './operator_machine.ts';
import { operatorOverview } from './operator_overview.ts';
import { queueStatus } from './queue_status.ts';
import { railsStatus } from './rails_status.ts';
import { runAudit } from './run_audit.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  listAuditLog,
  runAudit,
  operatorOverview,
  moneyBoard,
  queueStatus,
  operatorMachine,
  firstSteps,
  disputeEvidence,
  railsStatus,
  operatorFind,
] as const;
