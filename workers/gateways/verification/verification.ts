import { overloaded } from '../../../shared/kernel/refusal.ts';
import { openTurns } from '../../../shared/platform/shares/turns.ts';
import type { BadField } from '../../../shared/kernel/oversize.ts';
import { FORMATS } from '../../../shared/verification/result_check.ts';
import type {
  Failure,
  VerificationGateway,
} from '../../../shared/verification/verification_gateway.ts';
import { overLimits } from './schema_limits.ts';
import { openThread, type Thread } from './thread.ts';

/** One check takes about a millisecond; of what takes longer each tree has one at a time. */
const THREADS = 2;
const WAITING_MAX = 100;
/** Until a check counts as one that takes too long, without the start of the thread. */
const CHECK_MS_MAX = 1_000;

const EXCESS = {
  time: `takes longer than ${CHECK_MS_MAX} ms`,
  memory: 'takes too much memory',
} as const;

/** Threads of their own for checks and results, which are ended when they take too much. */
export function openVerification(): VerificationGateway {
  const idle = Array.from({ length: THREADS }, openThread);
  const settings = { max: THREADS, perFree: 1, waitingMax: WAITING_MAX, refuse: overloaded };
  const turns = openTurns(settings);
  const ask: Thread['ask'] = async (question, ms) => {
    const thread = idle.pop()!;
    try {
      return await thread.ask(question, ms);
    } finally {
      idle.push(thread);
    }
  };
  const answerTo = (tree: number, question: object) =>
    turns.run(tree, async () => {
      const asked = { ...question, formatNames: FORMATS };
      const answer = await ask(asked, CHECK_MS_MAX);
      // A machine may be slow for a moment. What is slow for its content is slow each time.
      return answer === 'time' ? ask(asked, CHECK_MS_MAX) : answer;
    });

  return {
    async faultsOf(check, { tree }) {
      const schema = 'json_schema' in check;
      const faults = schema ? overLimits(check.json_schema) : [];
      if (faults.length > 0) return faults.slice(0, 20);
      const answer = await answerTo(tree, { check });
      if (typeof answer === 'object') return answer as BadField[];
      return [{ pointer: schema ? '/json_schema' : '/assertions', message: EXCESS[answer] }];
    },
    async judge(check, result, { tree }) {
      const answer = await answerTo(tree, { check, result });
      const failures =
        typeof answer === 'object'
          ? (answer as Failure[])
          : [{ pointer: '', message: `cannot be judged: it ${EXCESS[answer]}`, rule: '' }];
      return { passes: failures.length === 0, failures };
    },
  };
}
