/** The states of an order, from paid and delivered to closed. */
export const STATUSES = [
  'escrow',
  'disputed',
  'completed',
  'refunded',
  'partially_refunded',
] as const;

export type OrderStatus = (typeof STATUSES)[number];
