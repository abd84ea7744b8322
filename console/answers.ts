import type { Static, TSchema } from '../shared/kernel/schema.ts';
import type * as Withdrawals from '../shared/withdrawals/withdrawals_to_review.ts';

/**
 * The operations that pages read, by name, so that a view is typed by what they answer. A page that
 * reads another one adds its line here. Only types: at run time a page names operations.
 */
interface Read {
  get_auto_recharge: typeof import('../shared/deposits/card/get_auto_recharge.ts').getAutoRecharge;
  get_job: typeof import('../shared/jobs/get_job.ts').getJob;
  get_labor_task: typeof import('../shared/labor/get_labor_task.ts').getLaborTask;
  get_order: typeof import('../shared/orders/get_order.ts').getOrder;
  get_orders: typeof import('../shared/orders/get_orders.ts').getOrders;
  get_task: typeof import('../shared/tasks/get_task.ts').getTask;
  get_wallet: typeof import('../shared/wallet/get_wallet.ts').getWallet;
  inbox: typeof import('../shared/inbox/inbox.ts').inbox;
  labor_claims: typeof import('../shared/labor/labor_claims.ts').laborClaims;
  list_approvals: typeof import('../shared/approvals/list_approvals.ts').listApprovals;
  list_connections: typeof import('../shared/connections/list_connections.ts').listConnections;
  list_children: typeof import('../shared/agents/list_children.ts').listChildren;
  list_deliveries: typeof import('../shared/webhooks/list_deliveries.ts').listDeliveries;
  list_deposits: typeof import('../shared/deposits/list_deposits.ts').listDeposits;
  list_events: typeof import('../shared/events/list_events.ts').listEvents;
  list_keys: typeof import('../shared/agents/list_keys.ts').listKeys;
  list_labor_tasks: typeof import('../shared/labor/list_labor_tasks.ts').listLaborTasks;
  list_messages: typeof import('../shared/messages/list_messages.ts').listMessages;
  list_webhooks: typeof import('../shared/webhooks/list_webhooks.ts').listWebhooks;
  list_withdrawals: typeof import('../shared/withdrawals/list_withdrawals.ts').listWithdrawals;
  market_stats: typeof import('../shared/market/market_stats.ts').marketStats;
  monitor_agent: typeof import('../shared/policies/monitor_agent.ts').monitorAgent;
  my_products: typeof import('../shared/products/my_products.ts').myProducts;
  get_product: typeof import('../shared/products/get_product.ts').getProduct;
  stock_status: typeof import('../shared/products/stock_status.ts').stockStatus;
  quote_withdrawal: typeof import('../shared/withdrawals/quote_withdrawal.ts').quoteWithdrawal;
  sales_report: typeof import('../shared/wallet/reports/sales_report.ts').salesReport;
  spend_report: typeof import('../shared/wallet/reports/spend_report.ts').spendReport;
  task_bids: typeof import('../shared/tasks/task_bids.ts').taskBids;
  task_mine: typeof import('../shared/tasks/task_mine.ts').taskMine;
  task_submissions: typeof import('../shared/tasks/task_submissions.ts').taskSubmissions;
  wallet_statement: typeof import('../shared/wallet/wallet_statement.ts').walletStatement;
  operator_overview: typeof import('../shared/operators/operator_overview.ts').operatorOverview;
  money_board: typeof import('../shared/operators/money_board.ts').moneyBoard;
  queue_status: typeof import('../shared/operators/queue_status.ts').queueStatus;
  rails_status: typeof import('../shared/operators/rails_status.ts').railsStatus;
  operator_find: typeof import('../shared/operators/operator_find.ts').operatorFind;
  list_audit_log: typeof import('../shared/operators/list_audit_log.ts').listAuditLog;
  find_agents: typeof import('../shared/agents/find_agents.ts').findAgents;
  list_jobs: typeof import('../shared/jobs/admin/list_jobs.ts').listJobs;
  operator_job: typeof import('../shared/jobs/admin/operator_job.ts').operatorJob;
  list_faults: typeof import('../shared/jobs/list_faults.ts').listFaults;
  products_to_review: typeof import('../shared/products/products_to_review.ts').productsToReview;
  list_disputes: typeof import('../shared/orders/list_disputes.ts').listDisputes;
  list_task_disputes: typeof import('../shared/tasks/list_task_disputes.ts').listTaskDisputes;
  list_labor_appeals: typeof import('../shared/labor/list_labor_appeals.ts').listLaborAppeals;
  withdrawals_to_review: typeof Withdrawals.withdrawalsToReview;
  proxy_sources: typeof import('../shared/proxies/sources/proxy_sources.ts').proxySources;
}

export type ReadName = keyof Read;

type AnswerFrom<O> = O extends { readonly output: infer S extends TSchema } ? Static<S> : never;

/** What an operation answers. */
export type AnswerOf<N extends ReadName> = AnswerFrom<Read[N]>;
