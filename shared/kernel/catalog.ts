import { agentMe } from '../agents/agent_me.ts';
import { createKey } from '../agents/create_key.ts';
import { findAgents } from '../agents/find_agents.ts';
import { listChildren } from '../agents/list_children.ts';
import { PASSWORD_RESETS, RESET_TIMERS } from '../agents/resets/operations.ts';
import { listKeys } from '../agents/list_keys.ts';
import { registerAgent } from '../agents/register_agent.ts';
import { revokeKey } from '../agents/revoke_key.ts';
import { rotateKey } from '../agents/rotate_key.ts';
import { spawnAgent } from '../agents/spawn_agent.ts';
import { cancelApproval } from '../approvals/cancel_approval.ts';
import { decideApproval } from '../approvals/decide_approval.ts';
import { releaseReservations } from '../orders/pending/release_reservations.ts';
import { expireApprovals } from '../approvals/expire_approvals.ts';
import { listApprovals } from '../approvals/list_approvals.ts';
import { CONNECTION_JOBS, CONNECTIONS } from '../connections/operations.ts';
import { CORE_DATASETS, DATASETS } from '../datasets/operations.ts';
import * as deposits from '../deposits/operations.ts';
import { checkEmails } from '../email/check_emails.ts';
import { emailQuota } from '../email/email_quota.ts';
import { validateEmail } from '../email/validate_email.ts';
import { validateEmails } from '../email/validate_emails.ts';
import { listEvents } from '../events/list_events.ts';
import { forgetOldJobs } from '../jobs/forget_old_jobs.ts';
import { forgetOldRows } from '../jobs/forget_old_rows.ts';
import { getJob } from '../jobs/get_job.ts';
import { listFaults } from '../jobs/list_faults.ts';
import { listJobs } from '../jobs/admin/list_jobs.ts';
import { operatorJob } from '../jobs/admin/operator_job.ts';
import { retryJob } from '../jobs/admin/retry_job.ts';
import { OPERATORS } from '../operators/operations.ts';
import { inbox } from '../inbox/inbox.ts';
import { MESSAGES } from '../messages/operations.ts';
import { marketStats } from '../market/market_stats.ts';
import { X402_JOBS } from '../x402/operations.ts';
import { indexOperations } from '../composition/operation_index.ts';
import { confirmOrder } from '../orders/confirm_order.ts';
import { decideDispute } from '../orders/decide_dispute.ts';
import { disputeOrder } from '../orders/dispute_order.ts';
import { getOrder } from '../orders/get_order.ts';
import { getOrders } from '../orders/get_orders.ts';
import { getVaultItem } from '../orders/get_vault_item.ts';
import { listDisputes } from '../orders/list_disputes.ts';
import { preparePurchasePayload } from '../orders/prepare_purchase_payload.ts';
import { purchaseProduct } from '../orders/purchase_product.ts';
import { refundOrder } from '../orders/refund_order.ts';
import { refundUnansweredDisputes } from '../orders/refund_unanswered_disputes.ts';
import { releaseDueOrders } from '../orders/release_due_orders.ts';
import { findAnomalies } from '../policies/anomalies/find_anomalies.ts';
import { monitorAgent } from '../policies/monitor_agent.ts';
import { operatorResumeAgent } from '../policies/operator_resume_agent.ts';
import { operatorSuspendAgent } from '../policies/operator_suspend_agent.ts';
import { resumeAgent } from '../policies/resume_agent.ts';
import { setPolicy } from '../policies/set_policy.ts';
import { suspendAgent } from '../policies/suspend_agent.ts';
import { addStock } from '../products/add_stock.ts';
import { createProduct } from '../products/create_product.ts';
import { forgetOldVersions } from '../products/forget_old_versions.ts';
import { getProduct } from '../products/get_product.ts';
import { listProducts } from '../products/list_products.ts';
import { myProducts } from '../products/my_products.ts';
import { productsToReview } from '../products/products_to_review.ts';
import { reviewProduct } from '../products/review_product.ts';
import { searchAssets } from '../products/search_assets.ts';
import { stockStatus } from '../products/stock_status.ts';
import { solanaMetadata } from '../products/solana_metadata.ts';
import { updateProduct } from '../products/update_product.ts';
import { checkDueProxies } from '../proxies/checks/check_due_proxies.ts';
import { checkProxies } from '../proxies/checks/check_proxies.ts';
import { findProxies } from '../proxies/sale/find_proxies.ts';
import { proxyCountries } from '../proxies/pool/proxy_countries.ts';
import { proxyFetchOne } from '../proxies/sale/proxy_fetch_one.ts';
import { proxyInfo } from '../proxies/pool/proxy_info.ts';
import { proxyList } from '../proxies/sale/proxy_list.ts';
import { proxyMyKey } from '../proxies/sale/proxy_my_key.ts';
import { proxySources } from '../proxies/sources/proxy_sources.ts';
import { refreshProxies } from '../proxies/sources/refresh_proxies.ts';
import { reportProxy } from '../proxies/sale/report_proxy.ts';
import { rotateProxyKey } from '../proxies/sale/rotate_proxy_key.ts';
import { sellConnection } from '../proxies/sale/sell_connection.ts';
import { respondDispute } from '../orders/respond_dispute.ts';
import { withdrawDispute } from '../orders/withdraw_dispute.ts';
import { CORE_LABOR, LABOR } from '../labor/operations.ts';
import { getTask } from '../tasks/get_task.ts';
import { settleDueTasks } from '../tasks/settle_due_tasks.ts';
import { taskAcceptBid } from '../tasks/task_accept_bid.ts';
import { taskApprove } from '../tasks/task_approve.ts';
import { taskBid } from '../tasks/task_bid.ts';
import { taskBids } from '../tasks/task_bids.ts';
import { taskBrowse } from '../tasks/task_browse.ts';
import { taskCancel } from '../tasks/task_cancel.ts';
import { taskMine } from '../tasks/task_mine.ts';
import { taskPost } from '../tasks/task_post.ts';
import { decideTaskDispute } from '../tasks/decide_task_dispute.ts';
import { listTaskDisputes } from '../tasks/list_task_disputes.ts';
import { taskDispute } from '../tasks/task_dispute.ts';
import { taskReject } from '../tasks/task_reject.ts';
import { taskRequestRevision } from '../tasks/task_request_revision.ts';
import { taskSubmissions } from '../tasks/task_submissions.ts';
import { taskSubmit } from '../tasks/task_submit.ts';
import { CORE_COLLECTIONS, CORE_TOKENS, TOKEN_TIMERS, TOKENS } from '../tokens/operations.ts';
import { WEBHOOKS } from '../webhooks/operations.ts';
import { WITHDRAWALS, WITHDRAWAL_TIMERS } from '../withdrawals/operations.ts';
import { getWallet } from '../wallet/get_wallet.ts';
import { giveGoodwill } from '../wallet/give_goodwill.ts';
import { WALLET, WALLET_TIMERS } from '../wallet/operations.ts';

/**
 * Every operation there is, in the order in which tools are listed: the specification's first, in
 * its order, then ours, then those that only timers and other operations start.
 */
export const catalog = indexOperations([
  searchAssets,
  listProducts,
  getProduct,
  preparePurchasePayload,
  purchaseProduct,
  getOrders,
  getVaultItem,
  getWallet,
  ...deposits.CORE_DEPOSITS,
  proxyInfo,
  proxyCountries,
  proxyList,
  proxyFetchOne,
  proxyMyKey,
  validateEmail,
  emailQuota,
  ...deposits.CORE_ALGORAND,
  ...CORE_TOKENS,
  ...deposits.CORE_SOLANA_INFO,
  ...CORE_COLLECTIONS,
  ...deposits.CORE_SOLANA,
  solanaMetadata,
  ...deposits.CORE_EVM,
  taskBrowse,
  taskPost,
  taskBid,
  taskSubmit,
  taskApprove,
  taskMine,
  ...CORE_LABOR,
  ...CORE_DATASETS,
  registerAgent,
  spawnAgent,
  // Beyond the specification's tools.
  agentMe,
  listChildren,
  monitorAgent,
  setPolicy,
  suspendAgent,
  resumeAgent,
  findAgents,
  operatorSuspendAgent,
  operatorResumeAgent,
  listApprovals,
  cancelApproval,
  decideApproval,
  listKeys,
  createKey,
  rotateKey,
  revokeKey,
  ...PASSWORD_RESETS,
  ...CONNECTIONS,
  createProduct,
  updateProduct,
  myProducts,
  addStock,
  stockStatus,
  productsToReview,
  reviewProduct,
  getOrder,
  confirmOrder,
  refundOrder,
  disputeOrder,
  respondDispute,
  withdrawDispute,
  listDisputes,
  decideDispute,
  getTask,
  taskBids,
  taskAcceptBid,
  taskSubmissions,
  taskRequestRevision,
  taskReject,
  taskDispute,
  taskCancel,
  listTaskDisputes,
  decideTaskDispute,
  ...DATASETS,
  ...MESSAGES,
  ...LABOR,
  inbox,
  ...WALLET,
  ...WITHDRAWALS,
  ...TOKENS,
  giveGoodwill,
  ...deposits.DEPOSITS,
  validateEmails,
  reportProxy,
  rotateProxyKey,
  refreshProxies,
  proxySources,
  listEvents,
  ...WEBHOOKS,
  getJob,
  listJobs,
  operatorJob,
  retryJob,
  listFaults,
  ...OPERATORS,
  marketStats,
  // Started by timers and by other operations.
  ...deposits.DEPOSIT_JOBS,
  checkEmails,
  ...RESET_TIMERS,
  expireApprovals,
  releaseReservations,
  forgetOldJobs,
  forgetOldRows,
  forgetOldVersions,
  releaseDueOrders,
  refundUnansweredDisputes,
  findAnomalies,
  settleDueTasks,
  ...WITHDRAWAL_TIMERS,
  ...TOKEN_TIMERS,
  ...WALLET_TIMERS,
  checkDueProxies,
  checkProxies,
  ...X402_JOBS,
  ...CONNECTION_JOBS,
  // Performed by the SOCKS5 server.
  findProxies,
  sellConnection,
]);

/** What REST offers, and what MCP offers. */
export const published = [...catalog.values()].filter((op) => op.rest);
export const tools = indexOperations(published.filter((op) => op.tool !== false));
