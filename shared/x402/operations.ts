import { lookForX402Payment } from './look_for_x402_payment.ts';
import { settleX402Payment } from './settle_x402_payment.ts';

/** Started by payments. */
export const X402_JOBS = [settleX402Payment, lookForX402Payment] as const;
