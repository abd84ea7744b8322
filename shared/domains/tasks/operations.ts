import { decideTaskDispute } from './decide_task_dispute.ts';
import { getTask } from './get_task.ts';
import { listTaskDisputes } from './list_task_disputes.ts';
import { settleDueTasks } from './settle_due_tasks.ts';
import { taskAcceptBid } from './task_accept_bid.ts';
import { taskApprove } from './task_approve.ts';
import { taskBid } from './task_bid.ts';
import { taskBids } from './task_bids.ts';
import { taskBrowse } from './task_browse.ts';
import { taskCancel } from './task_cancel.ts';
import { taskDispute } from './task_dispute.ts';
import { taskGiveBack } from './task_give_back.ts';
import { taskMine } from './task_mine.ts';
import { taskPost } from './task_post.ts';
import { taskReject } from './task_reject.ts';
import { taskReplaceWorker } from './task_replace_worker.ts';
import { taskRequestRevision } from './task_request_revision.ts';
import { taskSubmissions } from './task_submissions.ts';
import { taskSubmit } from './task_submit.ts';
import { taskWithdrawBid } from './task_withdraw_bid.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  taskBrowse,
  taskPost,
  taskBid,
  taskSubmit,
  taskApprove,
  taskMine,
  getTask,
  taskBids,
  taskWithdrawBid,
  taskGiveBack,
  taskAcceptBid,
  taskReplaceWorker,
  taskSubmissions,
  taskRequestRevision,
  taskReject,
  taskDispute,
  taskCancel,
  listTaskDisputes,
  decideTaskDispute,
  // Started by timers and by other operations.
  settleDueTasks,
] as const;
