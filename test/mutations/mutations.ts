import { EGRESS } from './egress.ts';
import { EMAIL } from './email/email.ts';
import { EMAIL_FILES } from './email/files.ts';
import { TRIALS } from './trials/dry_run.ts';
import { HTTP } from './interfaces/http.ts';
import { MCP } from './interfaces/mcp.ts';
import { OAUTH } from './interfaces/oauth.ts';
import { OAUTH_CODES } from './interfaces/oauth_codes.ts';
import { OAUTH_DEVIATIONS } from './interfaces/oauth_deviations.ts';
import { METRICS } from './metrics.ts';
import { ACCESS } from './agents/access.ts';
import { ANOMALIES } from './agents/anomalies.ts';
import { AGENTS } from './agents/agents.ts';
import { EVENTS } from './events/events.ts';
import { STORIES } from './events/stories.ts';
import { SUBSCRIPTIONS } from './events/subscriptions.ts';
import { WEBHOOKS } from './events/webhooks.ts';
import { ATTEMPTS } from './jobs/attempts.ts';
import { AUDIT } from './audit/audit.ts';
import { MOMENTS } from './audit/moments.ts';
import { SERVICE_AUDIT } from './audit/service_audit.ts';
import { CONNECTIONS } from './agents/connections.ts';
import { CONSOLE } from './agents/console.ts';
import { FACTORS } from './agents/factors.ts';
import { PROVEN_PERSONS } from './agents/persons.ts';
import { MAIL } from './email/mails.ts';
import { OPERATOR_PAGES } from './interfaces/operator_pages.ts';
import { START_LINK } from './interfaces/start_link.ts';
import { RESETS_OF_PASSWORDS } from './agents/resets.ts';
import { CHILDREN } from './agents/children.ts';
import { DISPATCHER } from './jobs/dispatcher.ts';
import { IDEMPOTENCY } from './agents/idempotency.ts';
import { JOBS } from './jobs/jobs.ts';
import { KEYS } from './agents/keys.ts';
import { REQUESTS } from './interfaces/requests.ts';
import { KEYS_BELOW } from './agents/keys_below.ts';
import { MONITORING } from './agents/monitoring.ts';
import { READERS } from './agents/readers.ts';
import { RECORDS } from './jobs/records.ts';
import { WAITERS } from './jobs/waiters.ts';
import { APPROVALS } from './approvals/asking.ts';
import { BATCH_PURCHASES } from './money/batches.ts';
import { DECISIONS } from './approvals/decisions.ts';
import { LOOSENED_POLICIES } from './approvals/loosening.ts';
import { PENDING_ORDERS } from './approvals/pending_orders.ts';
import { METERED_CALLS } from './money/charges.ts';
import { CONFIRMATIONS_BY_SET, CONFIRMED_BY_RULE } from './orders/confirmations.ts';
import { RECORDS_OF_DEALS } from './orders/records.ts';
import { REVIEWS } from './orders/reviews.ts';
import { ENDED_BY_CALLERS } from './orders/callers.ts';
import { DISPUTED_ORDERS } from './orders/disputes.ts';
import { ALGORAND_DEPOSITS } from './rails/algorand.ts';
import { CARD } from './rails/card.ts';
import { CHAINS_WATCHED } from './rails/chains.ts';
import { PROVIDERS } from './rails/providers/providers.ts';
import { SOLANA } from './rails/solana.ts';
import { MONEY_IN_AND_OUT } from './rails/in_and_out.ts';
import { DEPOSITS } from './rails/deposits.ts';
import { UNCLAIMED } from './money/unclaimed.ts';
import { EVM_DEPOSITS } from './rails/evm.ts';
import { PRICES_TAKEN } from './rails/prices.ts';
import { TRON } from './rails/tron.ts';
import { TOKENS_ISSUED } from './rails/tokens.ts';
import { WITHDRAWAL_LIMITS } from './rails/withdrawal_limits.ts';
import { WITHDRAWAL_QUOTES } from './rails/withdrawal_quotes.ts';
import { WITHDRAWALS_MADE } from './rails/withdrawals.ts';
import { CLOSED_ACCOUNTS } from './interfaces/closed_accounts.ts';
import { CLOSING } from './interfaces/closing.ts';
import { FINDING } from './interfaces/finding.ts';
import { MARKET_PAGES } from './interfaces/market.ts';
import { TOOL_ARGUMENTS } from './interfaces/tool_arguments.ts';
import { X402 } from './rails/x402.ts';
import { CARD_DISPUTES } from './rails/card/disputes.ts';
import { CARD_PROCEEDS } from './rails/card/proceeds.ts';
import { X402_COMPARISON } from './rails/x402/comparison.ts';
import { X402_FACILITATORS } from './rails/x402/facilitators.ts';
import { X402_PROOFS } from './rails/x402_proofs.ts';
import { LEDGER } from './money/ledger.ts';
import { LEDGER_SCHEMA } from './money/ledger_schema.ts';
import { LISTS_OF_OWNERS } from './agents/lists.ts';
import { LONE_PURCHASES } from './money/lone_purchases.ts';
import { ORDERS } from './orders/orders.ts';
import { POLICIES } from './money/policies.ts';
import { PRODUCTS } from './money/products.ts';
import { EXPLAINED_PURCHASES } from './money/purchases.ts';
import { SET_POLICY } from './money/set_policy.ts';
import { REPORTS_OF_MONEY } from './audit/reports.ts';
import { SETTLEMENTS } from './orders/settlements.ts';
import { SUSPENSIONS } from './money/suspensions.ts';
import { TIERS } from './money/tiers.ts';
import { DELIVERED_TO_CALLERS } from './boards/callers.ts';
import { LIMITS_OF_TREES } from './limits.ts';
import { LOCKS_ON_BOARDS } from './boards/locks.ts';
import { INBOX_RULES } from './boards/inbox.ts';
import { RIGHTS_ON_BOARDS } from './boards/rights.ts';
import { MESSAGES_OF_DEALS } from './boards/messages.ts';
import { DATASETS } from './boards/datasets.ts';
import { DATASET_DETAILS } from './boards/dataset_details.ts';
import { DATASET_FILES } from './boards/dataset_files.ts';
import { DATASET_RIGHTS } from './boards/dataset_rights.ts';
import { SOLD_DATASETS } from './boards/sold_datasets.ts';
import { DATASET_ACCESS } from './boards/dataset_access.ts';
import { LABOR } from './labor/labor.ts';
import { LABOR_ANSWERS } from './labor/answers.ts';
import { LABOR_FORMS } from './labor/forms.ts';
import { LABOR_HIDDEN } from './labor/hidden.ts';
import { LABOR_RULES } from './labor/rules.ts';
import { LABOR_VERDICTS } from './labor/verdicts.ts';
import { TASK_EXITS } from './boards/task_exits.ts';
import { TASK_RULES } from './boards/task_rules.ts';
import { TASKS } from './boards/tasks.ts';
import { VERIFICATION } from './boards/verification.ts';
import { RECEIPTS } from './money/receipts.ts';
import { WALLET } from './money/wallet.ts';
import type { Mutation } from './mutation.ts';
import { OPERATORS } from './operators.ts';
import { PLATFORM } from './platform.ts';
import { PROXIES } from './proxies.ts';
import { PROXY_POOL } from './proxy_pool.ts';
import { PROXY_QUALITY } from './proxy_quality.ts';
import { RATE_LIMITS } from './rate_limits.ts';
import { RELEASES } from './releases.ts';
import { REST } from './interfaces/rest.ts';
import { TEXT } from './interfaces/text.ts';
import { SECRETS } from './secrets.ts';
import { TELEMETRY } from './telemetry.ts';
import { SELF_CHECKS_MADE } from './self_checks.ts';
import { HTTP_PROXY } from './socks/http.ts';
import { SOCKS } from './socks/socks.ts';
import { SOCKS_PLACES } from './socks/places.ts';
import { SOCKS_REFUNDS } from './socks/refunds.ts';

/** Every mutation, by the part of the marketplace that it is of. */
export const MUTATIONS: Readonly<Record<string, readonly Mutation[]>> = {
  egress: EGRESS,
  secrets: SECRETS,
  self_checks: SELF_CHECKS_MADE,
  mcp: MCP,
  metrics: METRICS,
  rest: REST,
  releases: RELEASES,
  http: HTTP,
  rate_limits: RATE_LIMITS,
  limits: LIMITS_OF_TREES,
  operators: OPERATORS,
  platform: PLATFORM,
  proxies: PROXIES,
  proxy_pool: PROXY_POOL,
  proxy_quality: PROXY_QUALITY,
  email: EMAIL,
  email_files: EMAIL_FILES,
  http_proxy: HTTP_PROXY,
  socks: SOCKS,
  socks_places: SOCKS_PLACES,
  socks_refunds: SOCKS_REFUNDS,
  access: ACCESS,
  agents: AGENTS,
  children: CHILDREN,
  connections: CONNECTIONS,
  console: [...CONSOLE, ...CLOSING, ...CLOSED_ACCOUNTS, ...PROVEN_PERSONS],
  operator_pages: OPERATOR_PAGES,
  start_link: START_LINK,
  factors: [...FACTORS, ...RESETS_OF_PASSWORDS, ...MAIL],
  monitoring: MONITORING,
  tiers: TIERS,
  anomalies: ANOMALIES,
  attempts: ATTEMPTS,
  audit: [...AUDIT, ...MOMENTS, ...SERVICE_AUDIT],
  dispatcher: DISPATCHER,
  events: [...EVENTS, ...STORIES, ...SUBSCRIPTIONS],
  webhooks: WEBHOOKS,
  idempotency: IDEMPOTENCY,
  jobs: JOBS,
  keys: KEYS,
  keys_below: KEYS_BELOW,
  requests: REQUESTS,
  records: RECORDS,
  waiters: WAITERS,
  ledger: [...LEDGER, ...LEDGER_SCHEMA],
  deposits: [
    ...DEPOSITS,
    ...UNCLAIMED,
    ...CARD,
    ...CHAINS_WATCHED,
    ...SOLANA,
    ...ALGORAND_DEPOSITS,
    ...EVM_DEPOSITS,
    ...PRICES_TAKEN,
    ...PROVIDERS,
    ...TRON,
  ],
  in_and_out: MONEY_IN_AND_OUT,
  withdrawals: [...WITHDRAWALS_MADE, ...WITHDRAWAL_LIMITS, ...WITHDRAWAL_QUOTES],
  tokens: TOKENS_ISSUED,
  finding: FINDING,
  market: MARKET_PAGES,
  tool_arguments: TOOL_ARGUMENTS,
  oauth: OAUTH,
  oauth_codes: OAUTH_CODES,
  oauth_deviations: OAUTH_DEVIATIONS,
  text: TEXT,
  x402: X402,
  card_disputes: CARD_DISPUTES,
  card_proceeds: CARD_PROCEEDS,
  x402_comparison: X402_COMPARISON,
  x402_facilitators: X402_FACILITATORS,
  x402_proofs: X402_PROOFS,
  wallet: [...POLICIES, ...METERED_CALLS, ...WALLET, ...TRIALS],
  reports: [...REPORTS_OF_MONEY, ...RECEIPTS],
  purchases: [...LONE_PURCHASES, ...BATCH_PURCHASES, ...EXPLAINED_PURCHASES],
  orders: [
    ...SETTLEMENTS,
    ...CONFIRMATIONS_BY_SET,
    ...CONFIRMED_BY_RULE,
    ...RECORDS_OF_DEALS,
    ...REVIEWS,
    ...ENDED_BY_CALLERS,
    ...DISPUTED_ORDERS,
    ...ORDERS,
  ],
  policies: [...SET_POLICY, ...SUSPENSIONS],
  products: PRODUCTS,
  lists: LISTS_OF_OWNERS,
  board_rights: RIGHTS_ON_BOARDS,
  board_locks: LOCKS_ON_BOARDS,
  readers: READERS,
  delivered: DELIVERED_TO_CALLERS,
  tasks: [...TASKS, ...TASK_RULES, ...TASK_EXITS],
  labor: [
    ...LABOR,
    ...LABOR_ANSWERS,
    ...LABOR_FORMS,
    ...LABOR_HIDDEN,
    ...LABOR_RULES,
    ...LABOR_VERDICTS,
  ],
  datasets: [
    ...DATASETS,
    ...DATASET_RIGHTS,
    ...SOLD_DATASETS,
    ...DATASET_ACCESS,
    ...DATASET_FILES,
    ...DATASET_DETAILS,
  ],
  messages: MESSAGES_OF_DEALS,
  telemetry: TELEMETRY,
  verification: VERIFICATION,
  inbox: INBOX_RULES,
  approvals: [...APPROVALS, ...DECISIONS, ...LOOSENED_POLICIES, ...PENDING_ORDERS],
};
