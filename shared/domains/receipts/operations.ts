import { getReceipt } from './get_receipt.ts';
import { getReceiptDay } from './get_receipt_day.ts';
import { getReceiptKeys } from './get_receipt_keys.ts';
import { issueReceipts } from './issue_receipts.ts';
import { listReceipts } from './list_receipts.ts';
import { rotateReceiptKey } from './rotate_receipt_key.ts';
import { verifyReceipt } from './verify_receipt.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  listReceipts,
  getReceipt,
  verifyReceipt,
  getReceiptDay,
  getReceiptKeys,
  rotateReceiptKey,
  // Started by timers and by other operations.
  issueReceipts,
] as const;
