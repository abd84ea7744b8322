import type { AnswerOf } from './answers.ts';
import type { Reading } from './page.ts';

/** Items of the inbox that have a page of their own, and need no decision. */
export const CHECKED_ELSEWHERE = 'order_to_confirm';

export type Counts = AnswerOf<'inbox'>['counts'];

/** Number of items that wait for a decision of a person. */
export const decisionsIn = (counts: Counts): number =>
  counts.reduce((sum, { kind, count }) => sum + (kind === CHECKED_ELSEWHERE ? 0 : count), 0);

/** Delivered orders of the whole tree, for their number. */
export const TO_CHECK = [
  'get_orders',
  { status: 'escrow', below: true, sort: 'newest', limit: 1 },
] as const satisfies Reading;
