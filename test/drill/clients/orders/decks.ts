import { deckOf, type Random } from '../../random.ts';

const IN_ESCROW = { open: 4, confirm: 4, refund: 2, refundBySeller: 1, dispute: 5 } as const;
const IN_DISPUTE = { open: 1, respond: 1, withdraw: 2, decide: 2, refundBySeller: 1 } as const;
const BY_TIMERS = { escrow: { release: 2 }, disputed: { leaveUnanswered: 3 } } as const;
export type OrderAction =
  keyof typeof IN_ESCROW | keyof typeof IN_DISPUTE | 'release' | 'leaveUnanswered';

/** Actions on orders in escrow and in dispute: all of them, however few orders there are. */
export function actionDecks(random: Random, hasTimers: boolean) {
  const deck = (...weights: Partial<Record<OrderAction, number>>[]) =>
    deckOf(
      random,
      new Map(weights.flatMap((each) => Object.entries(each) as [OrderAction, number][])),
    );
  return {
    escrow: deck(IN_ESCROW, hasTimers ? BY_TIMERS.escrow : {}),
    disputed: deck(IN_DISPUTE, hasTimers ? BY_TIMERS.disputed : {}),
  };
}
