import { listAuditLog } from './list_audit_log.ts';
import { moneyBoard } from './money_board.ts';
import { operatorFind } from './operator_find.ts';
import { operatorOverview } from './operator_overview.ts';
import { queueStatus } from './queue_status.ts';
import { railsStatus } from './rails_status.ts';
import { runAudit } from './run_audit.ts';

/** In the order of the catalog. */
export const OPERATORS = [
  listAuditLog,
  runAudit,
  operatorOverview,
  moneyBoard,
  queueStatus,
  railsStatus,
  operatorFind,
] as const;
