import { cancelWithdrawal } from './cancel_withdrawal.ts';
import { comparePayouts } from './compare_payouts.ts';
import { listPayoutAddresses } from './list_payout_addresses.ts';
import { listWithdrawals } from './list_withdrawals.ts';
import { payWithdrawals } from './pay_withdrawals.ts';
import { quoteWithdrawal } from './quote_withdrawal.ts';
import { reviewWithdrawal } from './review_withdrawal.ts';
import { withdraw } from './withdraw.ts';
import { withdrawalsToReview } from './withdrawals_to_review.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  withdraw,
  quoteWithdrawal,
  listWithdrawals,
  listPayoutAddresses,
  cancelWithdrawal,
  withdrawalsToReview,
  reviewWithdrawal,
  // Started by timers and by other operations.
  payWithdrawals,
  comparePayouts,
] as const;
