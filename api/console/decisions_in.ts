import type { AnswerOf } from './answers.ts';

/** Items of the inbox that have a page of their own, and need no decision. */
export const CHECKED_ELSEWHERE = 'order_to_confirm';

export type Counts = AnswerOf<'inbox'>['counts'];

/** Number of items that wait for a decision of a person. */
export const decisionsIn = (counts: Counts): number =>
  counts.reduce((sum, { kind, count }) => sum + (kind === CHECKED_ELSEWHERE ? 0 : count), 0);

/** Number of orders that can be checked. */
export const ordersIn = (counts: Counts): number =>
  counts.find(({ kind }) => kind === CHECKED_ELSEWHERE)?.count ?? 0;
