import { checkX402Facilitators } from './facilitators/check_x402_facilitators.ts';
import { compareX402Payments } from './chain/compare_x402_payments.ts';
import { lookForX402Payment } from './look_for_x402_payment.ts';
import { suspendX402Transfers } from './chain/suspend_x402_transfers.ts';
import { settleX402Payment } from './settle_x402_payment.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  // Started by timers and by other operations.
  settleX402Payment,
  lookForX402Payment,
  compareX402Payments,
  suspendX402Transfers,
  checkX402Facilitators,
] as const;
