import { cancelApproval } from './cancel_approval.ts';
import { decideApproval } from './decide_approval.ts';
import { expireApprovals } from './expire_approvals.ts';
import { listApprovals } from './list_approvals.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  listApprovals,
  cancelApproval,
  decideApproval,
  // Started by timers and by other operations.
  expireApprovals,
] as const;
