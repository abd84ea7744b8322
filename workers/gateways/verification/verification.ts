import { overloaded } from '../../../shared/kernel/refusal.ts';
import { openTurns } from '../../../shared/platform/shares/turns.ts';
import type { BadField } from '../../../shared/kernel/oversize.ts';
import { FORMATS } from '../../../shared/domains/verification/result_check.ts';
import type {
  FailingResult,
  VerificationGateway,
} from '../../../shared/domains/verification/verification_gateway.ts';
import { overLimits } from './schema_limits.ts';
import { openJudgeProcess, type JudgeProcess } from './judge_process.ts';

/** A check takes about a millisecond; each tree may have one slow check at a time. */
const PROCESSES = 2;
const WAITING_MAX = 100;
/** Time after which a check is too slow, without the start of the process. */
const CHECK_MS_MAX = 1_000;

/** Separate processes for checks and results, which are ended when they take too much. */
export function openVerification({ checkMs = CHECK_MS_MAX } = {}): VerificationGateway {
  const excess = {
    time: `takes longer than ${checkMs} ms`,
    memory: 'takes too much memory',
  } as const;
  const idle = Array.from({ length: PROCESSES }, openJudgeProcess);
  const settings = { max: PROCESSES, perFree: 1, waitingMax: WAITING_MAX, refuse: overloaded };
  const turns = openTurns(settings);
  const ask: JudgeProcess['ask'] = async (question, ms) => {
    const judge = idle.pop()!;
    try {
      return await judge.ask(question, ms);
    } finally {
      idle.push(judge);
    }
  };
  const answerTo = (tree: number, question: object) =>
    turns.run(tree, async () => {
      const asked = { ...question, formatNames: FORMATS };
      const answer = await ask(asked, checkMs);
      // A machine may be slow for a moment; slow content is slow each time.
      return answer === 'time' ? ask(asked, checkMs) : answer;
    });

  const firstFailing: VerificationGateway['findFailing'] = async (check, results, { tree }) => {
    if (results.length === 0) return undefined;
    const answer = await answerTo(tree, { check, results });
    if (typeof answer === 'object') {
      const failing = answer as FailingResult;
      return failing.failures.length > 0 ? failing : undefined;
    }
    const message = `cannot be judged: it ${excess[answer]}`;
    return { result: results[0]!, failures: [{ pointer: '', message, rule: '' }] };
  };

  return {
    async faultsOf(check, { tree }) {
      const schema = 'json_schema' in check;
      const faults = schema ? overLimits(check.json_schema) : [];
      if (faults.length > 0) return faults.slice(0, 20);
      const answer = await answerTo(tree, { check });
      if (typeof answer === 'object') return answer as BadField[];
      return [{ pointer: schema ? '/json_schema' : '/assertions', message: excess[answer] }];
    },
    async judge(check, result, call) {
      const failing = await firstFailing(check, [result], call);
      return { passes: failing === undefined, failures: failing?.failures ?? [] };
    },
    findFailing: firstFailing,
  };
}
