export { openMarket, type Market, type MarketOptions } from './market.ts';
export { ApprovalRequired, Refused, StillPending, Unreachable } from './outcomes.ts';
export {
  verifyReceipt,
  verifyReceipts,
  type HeldReceipt,
  type ReceiptBook,
  type ReceiptKeys,
  type ReceiptReport,
  type SignedReceipt,
} from './receipts.ts';
export { NotVerified, verifyEvent, type Message } from './webhooks.ts';
export type { EventFeed } from './events.ts';
export type {
  Answer,
  CallOptions,
  Input,
  Item,
  ListName,
  OperationName,
  Refusal,
  Result,
  Schemas,
} from './operations.ts';
