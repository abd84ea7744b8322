import type { Sabotage } from '../kernel/sabotage.ts';
import { GOODS_SABOTAGES } from './goods_sabotages.ts';
import { QUOTE_SABOTAGES } from './quote_sabotages.ts';
import { STOCK_SABOTAGES } from './stock_sabotages.ts';

/** Sabotages of quotes, stock and delivered goods. */
export const ORDER_SABOTAGES: readonly Sabotage[] = [
  ...QUOTE_SABOTAGES,
  ...STOCK_SABOTAGES,
  ...GOODS_SABOTAGES,
];
