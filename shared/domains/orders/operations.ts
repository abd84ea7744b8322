import { checkGoods } from './goods/check_goods.ts';
import { listGoodsChecks } from './goods/list_goods_checks.ts';
import { listGoodsVerdicts } from './goods/list_goods_verdicts.ts';
import { setGoodsCheck } from './goods/set_goods_check.ts';
import { getConfirmRule } from './get_confirm_rule.ts';
import { setConfirmRule } from './set_confirm_rule.ts';
import { confirmOrder } from './confirm_order.ts';
import { confirmOrders } from './confirm_orders.ts';
import { decideDispute } from './decide_dispute.ts';
import { disputeOrder } from './dispute_order.ts';
import { getOrder } from './get_order.ts';
import { getOrders } from './get_orders.ts';
import { getVaultItem } from './get_vault_item.ts';
import { listDisputes } from './list_disputes.ts';
import { releaseQuotes } from './quotes/release_quotes.ts';
import { releaseReservations } from './pending/release_reservations.ts';
import { preparePurchasePayload } from './prepare_purchase_payload.ts';
import { purchaseProduct } from './purchase_product.ts';
import { refundOrder } from './refund_order.ts';
import { refundUnansweredDisputes } from './refund_unanswered_disputes.ts';
import { releaseDueOrders } from './release_due_orders.ts';
import { respondDispute } from './respond_dispute.ts';
import { withdrawDispute } from './withdraw_dispute.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  preparePurchasePayload,
  purchaseProduct,
  getOrders,
  getVaultItem,
  getOrder,
  confirmOrder,
  confirmOrders,
  refundOrder,
  disputeOrder,
  respondDispute,
  withdrawDispute,
  listDisputes,
  decideDispute,
  setConfirmRule,
  getConfirmRule,
  setGoodsCheck,
  listGoodsChecks,
  listGoodsVerdicts,
  // Started by timers and by other operations.
  releaseReservations,
  releaseQuotes,
  releaseDueOrders,
  checkGoods,
  refundUnansweredDisputes,
] as const;
