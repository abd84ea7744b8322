import { timer } from '../../../jobs/timers/timer.ts';
import { Output, Type } from '../../../kernel/schema.ts';
import { recordAnswers } from './states.ts';

/**
 * Asks every facilitator what it supports, so that a wrong key of the second one is known before
 * the first one fails.
 */
export const checkX402Facilitators = timer({
  name: 'check_x402_facilitators',
  title: 'Check facilitators',
  summary: 'Internal: asks each facilitator of payments by x402 whether it settles ours.',
  everyMs: 60_000,
  output: Output({ failing: Type.Integer({ description: 'Facilitators that failed.' }) }),

  prepare: async ({ config }) => config.x402 !== undefined,

  // Not destructured: the gateway is opened when it is named, and refuses where the rail is off.
  gather: async (gateways, _input, _call, isOn) => (isOn ? gateways.x402.supported() : []),

  async handle(tx, _input, answers) {
    await recordAnswers(tx, answers);
    return { failing: answers.filter(({ fault }) => fault !== null).length };
  },
});
