import { published } from '../../../shared/composition/catalog.ts';
import { heldJob } from '../../access/fresh_objects.ts';
import { lostProxyOf, OPERATOR_TOKEN } from '../../access/scene.ts';
import { inWordsOfRest, restOf } from '../../access/interfaces.ts';
import { allowedBy } from '../../connections/allowed.ts';
import { eventually, type Reply, type TestPlatform } from '../../harness.ts';
import { stock } from '../../proxies/stock.ts';
import { tellOfAlgorand } from './algorand_story.ts';
import { tellOfChains, type Chains } from './chain_story.ts';
import { tellOfDatasets } from './dataset_story.ts';
import { tellOfOperators } from './operator_story.ts';
import { tellOfOrders } from './order_story.ts';
import { tellOfReceipts } from '../../receipts/receipt_story.ts';
import { tellOfLabor } from './labor_story.ts';
import { tellOfTokens } from './token_story.ts';
import { tellOfTasks } from './task_story.ts';
import { tellOfEmail, tellOfWallets } from './wallet_story.ts';
import { tellOfWithdrawals } from './withdrawal_story.ts';

/** Calls, and their answers. */
export interface Story {
  readonly operations: Record<string, { input: object; output: unknown }>;
  readonly errors: Record<string, unknown>;
}

/**
 * Ada buys from Mira: every operation is called once, as a newcomer would, and the refusals that
 * one meets first are met. The platform must be a new one whose products are reviewed.
 */
export async function tell(platform: TestPlatform, chains: Chains): Promise<Story> {
  const story: Story = { operations: {}, errors: {} };

  /** Calls by REST. The first call of each operation, and the first of each refusal, is kept. */
  async function call(name: string, input: object, key?: string, headers = {}) {
    const op = published.find((one) => one.name === name)!;
    const sent = restOf({ route: op.rest!, tool: name, input: { ...input } });
    const reply: Reply = await platform.request(sent.route, {
      ...(key && { key }),
      ...(sent.body && { body: sent.body }),
      headers,
    });
    if (reply.status >= 400) story.errors[reply.body.error] ??= reply.body;
    else if (reply.status === 200) {
      story.operations[name] ??= { input: inWordsOfRest(name, input), output: reply.body };
    }
    return reply.body;
  }
  const later = { prefer: 'respond-async' };
  const register = async (username: string) => {
    const email = `${username}@example.com`;
    const made = await call('register_agent', { username, email, password: 'correct horse' });
    return { id: made.agent_id as number, key: made.api_key.key as string };
  };
  const ada = await register('ada');
  const mira = await register('mira');

  const weather = {
    title: 'Weather API, 1 000 calls',
    description: 'Hourly forecasts for any place, as JSON.',
    category: 'api_service',
    price: 0.08,
    stock_kind: 'unlimited',
    content: { base_url: 'https://weather.example.com/v2', token: 'wx-1000' },
  };
  const { product_id } = await call('create_product', weather, mira.key);
  await call('purchase_product', { product_id }, ada.key);
  await call('products_to_review', {}, OPERATOR_TOKEN);
  const review = { decision: 'approve', version: 1 };
  await call('review_product', { product_id, ...review }, OPERATOR_TOKEN);
  const licence = await call(
    'create_product',
    {
      title: 'Editor licence, one year',
      description: 'A key for one computer.',
      category: 'serial_key',
      price: 4,
      stock_kind: 'serial_pool',
      items: ['EDIT-7F3K-01', 'EDIT-7F3K-02'],
    },
    mira.key,
  );
  await call('review_product', { product_id: licence.product_id, ...review }, OPERATOR_TOKEN);
  const more = { product_id: licence.product_id, items: ['EDIT-7F3K-03'] };
  await call('add_stock', more, mira.key);
  await call('stock_status', { product_id: licence.product_id }, mira.key);
  await call('update_product', { product_id, release_hours: 24 }, mira.key);
  await call('update_product', { product_id, release_hours: 1 }, ada.key);
  await call('review_product', { product_id, ...review, version: 2 }, OPERATOR_TOKEN);
  await call('my_products', {}, mira.key);

  await call('agent_me', {}, ada.key);
  const shopper = { name: 'shopper', permissions: ['read', 'buy'] };
  const { agent, api_key: shoppers } = await call('spawn_agent', shopper, ada.key);
  const limits = {
    max_spend_per_tx: 1,
    daily_spend_limit: 5,
    allowed_product_types: 'api_service',
  };
  await call('set_policy', { agent_id: agent.agent_id, ...limits }, ada.key);
  await call('suspend_agent', { agent_id: agent.agent_id }, ada.key);
  await call('resume_agent', { agent_id: agent.agent_id }, ada.key);
  const stolen = { agent_id: agent.agent_id, note: 'Its key is in a public repository.' };
  await call('operator_suspend_agent', stolen, OPERATOR_TOKEN);
  await call('find_agents', { status: 'suspended' }, OPERATOR_TOKEN);
  await call('operator_resume_agent', { ...stolen, note: 'It has a new key.' }, OPERATOR_TOKEN);
  await call('list_children', {}, ada.key);
  await call('agent_names', {}, ada.key);
  const reports = { name: 'reports', scopes: ['read'] };
  const { api_key, key_id } = await call('create_key', reports, ada.key);
  await call('purchase_product', { product_id }, api_key.key);
  // Uses of keys are noted every half second.
  const notYetUsed = 'select from api_key where agent_id = $1 and last_used_at is null';
  const readUnused = () => platform.query(notYetUsed, [ada.id]) as Promise<object[]>;
  await eventually(readUnused, ({ length }) => length === 0);
  await call('list_keys', {}, ada.key);
  const rotated = await call('rotate_key', { key_id }, ada.key);
  await call('revoke_key', { key_id: rotated.key_id }, ada.key);
  await call('reset_password', { password: 'a longer horse staple' }, ada.key);
  await call('stop_password_reset', {}, ada.key);
  const connection_id = await allowedBy(platform, ada);
  await call('list_connections', {}, ada.key);
  await call('update_connection', { connection_id, daily_spend_limit: 2 }, ada.key);
  await call('revoke_connection', { connection_id }, ada.key);
  await call('get_wallet', {});
  await call('get_wallet', {}, 'vnx_wrong');
  await call('stripe_topup', { amount: 20, save_card: true }, ada.key);
  await call('set_auto_recharge', { threshold: 5, amount: 20 }, ada.key);
  await call('get_auto_recharge', {}, ada.key);
  await tellOfWallets(call, ada.key);

  await call('list_products', {}, ada.key);
  await call('solana_metadata', { product_id });
  await call('search_assets', { query: 'weather', max_price: 0.1 }, ada.key);
  const { seller } = await call('get_product', { product_id }, ada.key);
  await call('seller_record', { agent_id: seller.agent_id }, ada.key);
  await call('prepare_purchase_payload', { product_id }, ada.key);
  await call('purchase_product', { product_id: 'weather' }, ada.key);
  await call('purchase_product', { product_id: licence.product_id }, ada.key);
  await call('purchase_product', { product_id: licence.product_id, quantity: 50 }, ada.key);
  await call('purchase_product', { product_id }, mira.key);
  const once = { 'idempotency-key': 'weather-today' };
  const { order_id } = await call('purchase_product', { product_id }, ada.key, once);
  await call('purchase_product', { product_id: licence.product_id }, ada.key, once);
  await call('get_wallet', { details: true }, ada.key);
  await call('get_orders', {}, ada.key);
  await call('get_order', { order_id }, ada.key);
  await call('get_order', { order_id }, (await register('eve')).key);
  await call('get_vault_item', { order_id }, ada.key);
  await call('confirm_order', { order_id }, ada.key);
  await call('confirm_order', { order_id }, ada.key);
  const goodwill = { amount: 0.5, reference: 'ticket-4711', note: 'The market was slow.' };
  await call('give_goodwill', { agent_id: ada.id, ...goodwill }, OPERATOR_TOKEN);
  await call('wallet_statement', {}, ada.key);
  await call('spend_report', { days: 2 }, ada.key);
  await call('sales_report', { days: 2 }, mira.key);
  await tellOfReceipts(call, { platform, key: ada.key, sellerKey: mira.key, orderId: order_id });
  await platform.context.requestLog.write();
  await call('list_requests', { status: 'error', limit: 1 }, ada.key);
  await call('request_costs', { by: 'agent' }, ada.key);
  await call('set_call_alert', { errors_percent: 20, cost_above: 5 }, ada.key);
  await call('get_call_alert', {}, ada.key);
  // Not before she had too little money for a purchase.
  await tellOfChains(call, chains, ada.key);

  await platform.fund(ada.id, 10);
  await call('list_deposits', {}, ada.key);
  const deal = { productId: product_id, opened: order_id };
  await tellOfOrders(call, { buyer: ada.key, seller: mira.key, ...deal });

  await call('set_policy', { agent_id: agent.agent_id, approval_threshold: 0.05 }, ada.key);
  const asks = () => call('purchase_product', { product_id }, shoppers.key);
  const taken = await asks();
  await call('cancel_approval', { approval_id: taken.approval_id }, shoppers.key);
  const { approval_id } = await asks();
  await call('list_approvals', {}, ada.key);
  await call('decide_approval', { approval_id, decision: 'approve' }, ada.key);
  const growLate = (taskId: number) =>
    platform.query(`update task set awaited_since = now() - interval '36 hours' where id = $1`, [
      taskId,
    ]);
  await tellOfTasks(call, { poster: ada, worker: mira, growLate });
  await tellOfDatasets(call, { seller: mira, buyer: ada });
  await tellOfLabor(call, { poster: ada.key, worker: mira.key });
  await tellOfWithdrawals(call, ada.key);
  await platform.fund(mira.id, 2);
  await tellOfTokens(call, { platform, ...mira });

  const { job_id } = await call('purchase_product', { product_id }, ada.key, later);
  await call('get_job', { job_id }, ada.key, { prefer: 'wait=20' });
  const { events } = await call('list_events', { type: 'order.*', limit: 2 }, ada.key);
  const url = 'https://ada.example.com/events';
  const { webhook_id } = await call('create_webhook', { url, types: ['product.*'] }, ada.key);
  await call('list_webhooks', {}, ada.key);
  await call('update_webhook', { webhook_id, description: 'Goods' }, ada.key);
  await call('rotate_webhook_secret', { webhook_id, overlap_hours: 48 }, ada.key);
  await call('test_webhook', { webhook_id }, ada.key);
  await call('replay_webhook', { webhook_id, event_id: events[0].id }, ada.key);
  // Others, because it is not known whether that one has met a fault by now.
  const another = async () => {
    const body = { url, types: ['product.*'] };
    const made = await platform.request('POST /api/v1/webhooks', { key: ada.key, body });
    return { webhook_id: made.body.webhook_id as number };
  };
  const unused = await another();
  const path = `/api/v1/webhooks/${unused.webhook_id}`;
  await platform.request(`PATCH ${path}`, { key: ada.key, body: { status: 'disabled' } });
  await platform.request(`POST ${path}/test`, { key: ada.key });
  await call('list_deliveries', unused, ada.key);
  await call('delete_webhook', unused, ada.key);
  const refresh = await call('refresh_proxies', {}, OPERATOR_TOKEN, later);
  const ofOperator = { job_id: refresh.job_id };
  await call('operator_job', ofOperator, OPERATOR_TOKEN, { prefer: 'wait=20' });
  await call('refresh_proxies', {}, OPERATOR_TOKEN);
  await call('proxy_sources', {}, OPERATOR_TOKEN);
  await call('list_jobs', { operation: 'refresh_proxies', limit: 1 }, OPERATOR_TOKEN);
  await call('retry_job', { job_id: await heldJob(platform) }, OPERATOR_TOKEN);
  const harmful = { ...(await another()), status: 'disabled', note: 'It is a loop.' };
  await call('operator_set_webhook', harmful, OPERATOR_TOKEN);
  await call('find_webhooks', { status: 'disabled' }, OPERATOR_TOKEN);
  await call('run_audit', {}, OPERATOR_TOKEN);
  await call('list_faults', {}, OPERATOR_TOKEN);
  await call('list_audit_log', { operation: 'decide_dispute' }, OPERATOR_TOKEN);
  // Calls of providers are written every ten seconds: in a fast run nothing is there yet.
  await platform.query('delete from chain_provider_day');
  await tellOfOperators(call, order_id);

  await stock(platform, { count: 3, country: 'DE' });
  await call('proxy_info', {});
  await call('proxy_countries', {}, ada.key);
  const { proxies } = await call('proxy_list', { limit: 2, country: 'DE' }, ada.key);
  await call('proxy_fetch_one', { proxy_id: Number(proxies[0].id) }, ada.key);
  await call('report_proxy', { proxy_id: await lostProxyOf(platform, ada) }, ada.key);
  await call('proxy_my_key', {}, ada.key);
  await call('set_proxy_addresses', { addresses: ['8.8.8.8'] }, ada.key);
  await call('get_proxy_access', {}, ada.key);
  await call('rotate_proxy_key', {}, ada.key);

  await tellOfEmail(call, ada.key);
  await platform.context.refusalCounts.write();
  // An agent that bought little: whether a schedule has found an anomaly of Ada's depends on time.
  await call('monitor_agent', { agent_id: agent.agent_id }, ada.key);
  await call('email_quota', {}, ada.key);
  await call('market_stats', {});
  await tellOfAlgorand(call, chains.algorand, ada.key);
  return story;
}
