import type { Static, TSchema } from '../../shared/kernel/schema.ts';
import type * as Unclaimed from '../../shared/domains/deposits/unclaimed/list_unclaimed_payments.ts';
import type * as Withdrawals from '../../shared/domains/withdrawals/withdrawals_to_review.ts';

/**
 * The operations that pages read, by name, so that their views are typed. A page that reads another
 * one adds its line here. Only types: at run time a page names operations.
 */
interface Read {
  get_auto_recharge: typeof import('../../shared/domains/deposits/card/get_auto_recharge.ts').getAutoRecharge;
  get_call_alert: typeof import('../../shared/domains/requests/get_call_alert.ts').getCallAlert;
  get_confirm_rule: typeof import('../../shared/domains/orders/get_confirm_rule.ts').getConfirmRule;
  get_email_file: typeof import('../../shared/domains/email/files/get_email_file.ts').getEmailFile;
  get_email_results: typeof import('../../shared/domains/email/files/get_email_results.ts').getEmailResults;
  list_email_files: typeof import('../../shared/domains/email/files/list_email_files.ts').listEmailFiles;
  get_job: typeof import('../../shared/domains/jobs/get_job.ts').getJob;
  get_labor_task: typeof import('../../shared/domains/labor/get_labor_task.ts').getLaborTask;
  get_order: typeof import('../../shared/domains/orders/get_order.ts').getOrder;
  get_orders: typeof import('../../shared/domains/orders/get_orders.ts').getOrders;
  get_task: typeof import('../../shared/domains/tasks/get_task.ts').getTask;
  agent_names: typeof import('../../shared/domains/agents/agent_names.ts').agentNames;
  get_wallet: typeof import('../../shared/domains/wallet/get_wallet.ts').getWallet;
  inbox: typeof import('../../shared/domains/inbox/inbox.ts').inbox;
  labor_claims: typeof import('../../shared/domains/labor/labor_claims.ts').laborClaims;
  labor_results: typeof import('../../shared/domains/labor/labor_results.ts').laborResults;
  list_approvals: typeof import('../../shared/domains/approvals/list_approvals.ts').listApprovals;
  list_connections: typeof import('../../shared/domains/connections/list_connections.ts').listConnections;
  list_children: typeof import('../../shared/domains/agents/list_children.ts').listChildren;
  list_deliveries: typeof import('../../shared/domains/webhooks/list_deliveries.ts').listDeliveries;
  list_deposits: typeof import('../../shared/domains/deposits/list_deposits.ts').listDeposits;
  list_deposit_claims: typeof import('../../shared/domains/deposits/unclaimed/list_deposit_claims.ts').listDepositClaims;
  list_events: typeof import('../../shared/domains/events/list_events.ts').listEvents;
  list_keys: typeof import('../../shared/domains/agents/list_keys.ts').listKeys;
  list_labor_tasks: typeof import('../../shared/domains/labor/list_labor_tasks.ts').listLaborTasks;
  list_dispute_messages: typeof import('../../shared/domains/messages/list_dispute_messages.ts').listDisputeMessages;
  list_messages: typeof import('../../shared/domains/messages/list_messages.ts').listMessages;
  list_receipts: typeof import('../../shared/domains/receipts/list_receipts.ts').listReceipts;
  verify_receipt: typeof import('../../shared/domains/receipts/verify_receipt.ts').verifyReceipt;
  list_requests: typeof import('../../shared/domains/requests/list_requests.ts').listRequests;
  list_goods_checks: typeof import('../../shared/domains/orders/goods/list_goods_checks.ts').listGoodsChecks;
  list_goods_verdicts: typeof import('../../shared/domains/orders/goods/list_goods_verdicts.ts').listGoodsVerdicts;
  list_webhooks: typeof import('../../shared/domains/webhooks/list_webhooks.ts').listWebhooks;
  list_withdrawals: typeof import('../../shared/domains/withdrawals/list_withdrawals.ts').listWithdrawals;
  market_stats: typeof import('../../shared/domains/market/market_stats.ts').marketStats;
  monitor_agent: typeof import('../../shared/domains/policies/monitor_agent.ts').monitorAgent;
  request_costs: typeof import('../../shared/domains/requests/request_costs.ts').requestCosts;
  search_assets: typeof import('../../shared/domains/products/search_assets.ts').searchAssets;
  list_products: typeof import('../../shared/domains/products/list_products.ts').listProducts;
  task_browse: typeof import('../../shared/domains/tasks/task_browse.ts').taskBrowse;
  get_dataset: typeof import('../../shared/domains/datasets/get_dataset.ts').getDataset;
  list_datasets: typeof import('../../shared/domains/datasets/list_datasets.ts').listDatasets;
  my_products: typeof import('../../shared/domains/products/my_products.ts').myProducts;
  get_product: typeof import('../../shared/domains/products/get_product.ts').getProduct;
  get_proxy_access: typeof import('../../shared/domains/proxies/access/get_proxy_access.ts').getProxyAccess;
  stock_status: typeof import('../../shared/domains/products/stock_status.ts').stockStatus;
  quote_withdrawal: typeof import('../../shared/domains/withdrawals/quote_withdrawal.ts').quoteWithdrawal;
  sales_report: typeof import('../../shared/domains/wallet/reports/sales_report.ts').salesReport;
  spend_report: typeof import('../../shared/domains/wallet/reports/spend_report.ts').spendReport;
  task_bids: typeof import('../../shared/domains/tasks/task_bids.ts').taskBids;
  task_mine: typeof import('../../shared/domains/tasks/task_mine.ts').taskMine;
  task_submissions: typeof import('../../shared/domains/tasks/task_submissions.ts').taskSubmissions;
  get_review: typeof import('../../shared/domains/reviews/get_review.ts').getReview;
  list_reviews: typeof import('../../shared/domains/reviews/list_reviews.ts').listReviews;
  seller_record: typeof import('../../shared/domains/records/seller_record.ts').sellerRecord;
  wallet_statement: typeof import('../../shared/domains/wallet/wallet_statement.ts').walletStatement;
  operator_overview: typeof import('../../shared/domains/operators/operator_overview.ts').operatorOverview;
  dispute_evidence: typeof import('../../shared/domains/operators/dispute_evidence.ts').disputeEvidence;
  first_steps: typeof import('../../shared/domains/operators/first_steps.ts').firstSteps;
  operator_machine: typeof import('../../shared/domains/operators/operator_machine.ts').operatorMachine;
  mail_reputation: typeof import('../../shared/domains/email/doubts/mail_reputation.ts').mailReputation;
  money_board: typeof import('../../shared/domains/operators/money_board.ts').moneyBoard;
  queue_status: typeof import('../../shared/domains/operators/queue_status.ts').queueStatus;
  rails_status: typeof import('../../shared/domains/operators/rails_status.ts').railsStatus;
  operator_find: typeof import('../../shared/domains/operators/operator_find.ts').operatorFind;
  list_audit_log: typeof import('../../shared/domains/operators/list_audit_log.ts').listAuditLog;
  find_agents: typeof import('../../shared/domains/agents/find_agents.ts').findAgents;
  list_jobs: typeof import('../../shared/domains/jobs/admin/list_jobs.ts').listJobs;
  operator_job: typeof import('../../shared/domains/jobs/admin/operator_job.ts').operatorJob;
  list_faults: typeof import('../../shared/domains/jobs/list_faults.ts').listFaults;
  products_to_review: typeof import('../../shared/domains/products/products_to_review.ts').productsToReview;
  reviews_to_moderate: typeof import('../../shared/domains/reviews/reviews_to_moderate.ts').reviewsToModerate;
  list_disputes: typeof import('../../shared/domains/orders/list_disputes.ts').listDisputes;
  list_task_disputes: typeof import('../../shared/domains/tasks/list_task_disputes.ts').listTaskDisputes;
  list_labor_appeals: typeof import('../../shared/domains/labor/list_labor_appeals.ts').listLaborAppeals;
  list_unclaimed_payments: typeof Unclaimed.listUnclaimedPayments;
  withdrawals_to_review: typeof Withdrawals.withdrawalsToReview;
  proxy_sources: typeof import('../../shared/domains/proxies/sources/proxy_sources.ts').proxySources;
}

export type ReadName = keyof Read;

type AnswerFrom<O> = O extends { readonly output: infer S extends TSchema } ? Static<S> : never;

/** The answer of an operation. */
export type AnswerOf<N extends ReadName> = AnswerFrom<Read[N]>;
