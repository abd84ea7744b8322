import { expect } from 'chai';

import type { Reply, TestPlatform } from '../harness.ts';
import { act } from '../tasks/board.ts';
import * as model from './work.ts';
import type { Assignment, Member } from './work.ts';

/** Expects a call to be refused with this code; undefined: to be performed. */
export function expectCode({ status, body, text }: Reply, refusal: string | undefined): void {
  expect(status === 200 ? undefined : body.error, text).to.equal(refusal);
}

/** The ways in which bids, workers and work that nobody asked for leave a task. */
export const exitsOf = (platform: TestPlatform) => {
  const call = (task: Assignment, { key }: Member, action: string, body: object = {}) =>
    act(platform, action, { taskId: task.id, key }, body);
  return {
    async reject(task: Assignment, by: Member) {
      const isUnasked = task.status === 'open';
      const isJudged = isUnasked && task.submissions.size === 0;
      const refusal = model.refusalOf(task, by, isJudged ? '' : 'open', 'submitted');
      expectCode(await call(task, by, 'reject', { reason: 'No.' }), refusal);
      if (refusal) return;
      if (isUnasked) task.submissions.clear();
      else task.status = 'rejected';
    },
    async cancel(task: Assignment, by: Member, { flag }: { flag: boolean }) {
      const isOverWork = task.submissions.size > 0 && !flag;
      const refusal = model.refusalOf(task, by, isOverWork ? '' : 'open');
      expectCode(await call(task, by, 'cancel', flag ? { reason: 'No.' } : {}), refusal);
      if (!refusal) model.end(task, 'cancelled', 0);
    },
    async withdraw(task: Assignment, by: Member) {
      const refusal = model.withdrawalRefusal(task, by);
      expectCode(await call(task, by, 'bids/withdraw'), refusal);
      if (!refusal) model.leave(task, by);
    },
    async give_back(task: Assignment, by: Member) {
      const isOver = model.AWAITS_WORKER.includes(task.status) ? undefined : model.WRONG;
      const refusal = by === task.worker ? isOver : 'forbidden';
      expectCode(await call(task, by, 'give_back'), refusal);
      if (!refusal) model.unassign(task);
    },
    async replace(task: Assignment, by: Member, { flag }: { flag: boolean }) {
      const late = `update task set awaited_since = now() - interval '36 hours' where id = $1`;
      if (flag) await platform.query(late, [task.id]);
      const refusal = model.refusalOf(task, by, ...(flag ? model.AWAITS_WORKER : []));
      expectCode(await call(task, by, 'replace_worker'), refusal);
      if (!refusal) model.unassign(task);
    },
  };
};
