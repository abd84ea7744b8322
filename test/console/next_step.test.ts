import { expect } from 'chai';

import { nextStep } from '../../api/console/owner/trade/next_step.ts';
import {
  availableActions,
  nextFor,
  TASK_ROLES,
} from '../../shared/domains/tasks/available_actions.ts';
import { STATUSES } from '../../shared/domains/tasks/task.ts';

const NOW = new Date('2026-11-30T12:00:00Z');
const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000);

describe('the next step of a task, on a page', () => {
  it('is there where the operation has one, in words without names of fields', () => {
    const steps = new Map<string, string>();
    for (const status of STATUSES) {
      for (const role of TASK_ROLES) {
        for (const due of [-48, 48]) {
          for (const [judged, bids, judgeable] of [
            ['manual', 0, 0],
            ['manual', 2, 0],
            ['manual', 2, 1],
            ['hash', 1, 0],
          ] as const) {
            const task = {
              status,
              verification: judged === 'manual' ? null : { type: judged },
              due_at: hours(due),
              bids_count: bids,
              review_deadline: hours(due),
              dispute_by: hours(due),
              revisions: 0,
              awaited_since: hours(-90),
              submissions_count: judgeable,
              judgeable,
              eta_minutes: 60,
            } as unknown as Parameters<typeof nextFor>[0];
            const available_actions = availableActions(task, role, NOW);
            const shown = { role, status, verification_type: judged, available_actions };
            const step = nextStep(shown as Parameters<typeof nextStep>[0]);
            const told = nextFor(task, role, NOW);
            const about = JSON.stringify(shown);
            expect(step === null, `${about}: ${step} for ${told}`).to.equal(told === null);
            if (step !== null) steps.set(step, about);
          }
        }
      }
    }
    for (const [step, about] of steps) expect(step, about).not.to.include('_');
    expect(steps.size).to.be.within(10, 14);
  });
});
