import { randomUUID } from 'node:crypto';

import { disputeOf, orderOf, proxyOfBuyer } from '../fresh_objects.ts';
import { DATASET_RIGHTS } from './dataset_rights.ts';
import { MESSAGE_RIGHTS } from './message_rights.ts';
import { DEPOSIT_RIGHTS } from './deposit_rights.ts';
import { EMAIL_RIGHTS } from './email_rights.ts';
import { KEY_RIGHTS } from './key_rights.ts';
import { LABOR_RIGHTS } from './labor_rights.ts';
import { OWNER_RIGHTS } from './owner_rights.ts';
import { OPERATOR_RIGHTS } from './operator_rights.ts';
import { ofBuyer, REPORT_RIGHTS } from './report_rights.ts';
import { RECEIPT_RIGHTS } from './receipt_rights.ts';
import { GOODS_RIGHTS } from '../../orders/goods_rights.ts';
import { RECORD_RIGHTS } from '../../records/record_rights.ts';
import type { Right } from './right.ts';
import { TOKEN_RIGHTS } from '../../tokens/token_rights.ts';
import { TASK_RIGHTS } from './task_rights.ts';
import { WEBHOOK_RIGHTS } from './webhook_rights.ts';
import { WITHDRAWAL_RIGHTS } from './withdrawal_rights.ts';

const onlyBuyer = { seller: 'not_found', outsider: 'not_found' };
const forBuyer = { seller: 'forbidden', outsider: 'not_found' };
const forSeller = { buyer: 'forbidden', outsider: 'not_found' };
const onlySeller = { buyer: 'not_found', outsider: 'not_found' };

/**
 * The rights of the marketplace, written out. Every published operation has a line here, which
 * decides who may call it.
 */
export const RIGHTS: Readonly<Record<string, Right>> = {
  ...OPERATOR_RIGHTS,
  ...WITHDRAWAL_RIGHTS,
  ...TOKEN_RIGHTS,
  ...RECORD_RIGHTS,
  search_assets: {
    route: 'GET /api/v1/products/search',
    access: 'read',
    input: () => ({ query: 'serial' }),
  },
  list_products: { route: 'GET /api/v1/products', access: 'read' },
  get_product: {
    route: 'GET /api/v1/products/:product_id',
    access: 'read',
    input: ({ hidden }) => ({ product_id: hidden }),
    answers: onlySeller,
    object: 'product_id',
  },
  sandbox_advance: {
    route: 'POST /api/v1/sandbox/advance',
    access: 'buy',
    // Too little for anything to happen to it.
    input: ({ order }) => ({ kind: 'order', object_id: order, hours: 0.001 }),
    answers: { outsider: 'not_found' },
  },
  prepare_purchase_payload: {
    route: 'POST /api/v1/orders/preview',
    access: 'read',
    input: ({ product }) => ({ product_id: product }),
    answers: { seller: 'self_purchase' },
  },
  solana_metadata: {
    route: 'GET /api/v1/solana/metadata/:product_id',
    access: 'public',
    input: ({ product }) => ({ product_id: product }),
  },
  purchase_product: {
    route: 'POST /api/v1/orders',
    access: 'buy',
    input: ({ product }) => ({ product_id: product }),
    answers: { seller: 'self_purchase' },
  },
  get_orders: {
    route: 'GET /api/v1/orders',
    access: 'read',
    also: { 'an agent': ofBuyer },
  },
  get_order: {
    route: 'GET /api/v1/orders/:order_id',
    access: 'read',
    input: ({ order }) => ({ order_id: order }),
    answers: { outsider: 'not_found' },
    object: 'order_id',
  },
  get_vault_item: {
    route: 'GET /vault/:order_id',
    access: 'read',
    input: ({ order }) => ({ order_id: order }),
    answers: onlyBuyer,
    object: 'order_id',
  },
  confirm_order: {
    route: 'POST /api/v1/orders/:order_id/confirm',
    access: 'buy',
    input: orderOf,
    answers: forBuyer,
    object: 'order_id',
  },
  confirm_orders: {
    route: 'POST /api/v1/orders/confirm',
    access: 'buy',
    input: async (scene, party) => ({ order_ids: [(await orderOf(scene, party)).order_id] }),
    answers: forBuyer,
    isTool: false,
  },
  set_confirm_rule: {
    route: 'PUT /api/v1/orders/confirm-rule',
    access: 'owner',
    input: () => ({ enabled: true }),
    isTool: false,
  },
  get_confirm_rule: {
    route: 'GET /api/v1/orders/confirm-rule',
    access: 'read',
    isTool: false,
  },
  ...GOODS_RIGHTS,
  refund_order: {
    route: 'POST /api/v1/orders/:order_id/refund',
    access: 'any',
    input: orderOf,
    answers: { outsider: 'not_found' },
    needs: { buyer: 'buy', seller: 'sell' },
    object: 'order_id',
  },
  dispute_order: {
    route: 'POST /api/v1/orders/:order_id/dispute',
    access: 'buy',
    input: async (scene, party) => ({ ...(await orderOf(scene, party)), reason: 'It is empty.' }),
    answers: forBuyer,
    object: 'order_id',
  },
  respond_dispute: {
    route: 'POST /api/v1/orders/:order_id/dispute/respond',
    access: 'sell',
    input: async (scene, party) => ({ ...(await disputeOf(scene, party)), response: 'It is not.' }),
    answers: forSeller,
    object: 'order_id',
  },
  withdraw_dispute: {
    route: 'POST /api/v1/orders/:order_id/dispute/withdraw',
    access: 'buy',
    input: disputeOf,
    answers: forBuyer,
    object: 'order_id',
  },
  get_wallet: { route: 'GET /api/v1/wallet', access: 'read' },
  wallet_statement: { route: 'GET /api/v1/wallet/statement', access: 'read' },
  ...REPORT_RIGHTS,
  ...RECEIPT_RIGHTS,
  ...EMAIL_RIGHTS,
  market_stats: { route: 'GET /api/v1/stats', access: 'public', isTool: false },
  proxy_info: { route: 'GET /api/v1/proxy/info', access: 'public' },
  proxy_countries: { route: 'GET /api/v1/proxy/countries', access: 'any' },
  proxy_list: { route: 'GET /api/v1/proxy/list', access: 'any' },
  proxy_fetch_one: {
    route: 'GET /api/v1/proxy/:proxy_id',
    access: 'any',
    input: ({ proxy }) => ({ proxy_id: proxy }),
  },
  proxy_my_key: { route: 'GET /api/v1/proxy/my-key', access: 'any' },
  set_proxy_addresses: {
    route: 'PUT /api/v1/proxy/my-key/addresses',
    access: 'buy',
    input: () => ({ addresses: [] }),
  },
  get_proxy_access: { route: 'GET /api/v1/proxy/access', access: 'any' },
  rotate_proxy_key: { route: 'POST /api/v1/proxy/my-key/rotate', access: 'buy' },
  report_proxy: {
    route: 'POST /api/v1/proxy/:proxy_id/report',
    access: 'any',
    input: proxyOfBuyer,
    answers: onlyBuyer,
    object: 'proxy_id',
  },
  register_agent: {
    route: 'POST /api/v1/agent/register',
    access: 'public',
    input: () => {
      const username = `r${randomUUID().slice(0, 12)}`;
      return { username, email: `${username}@example.com`, password: 'correct horse battery' };
    },
  },
  agent_me: { route: 'GET /api/v1/agent/me', access: 'any' },
  ...KEY_RIGHTS,
  spawn_agent: {
    route: 'POST /api/v1/agent/spawn',
    access: 'owner',
    byChildren: true,
    input: () => ({ name: `c${randomUUID().slice(0, 12)}` }),
  },
  list_children: { route: 'GET /api/v1/agent/children', access: 'any' },
  ...OWNER_RIGHTS,
  create_product: {
    route: 'POST /api/v1/products',
    access: 'sell',
    input: () => ({
      title: 'A thing',
      description: 'It is one.',
      category: 'serial_key',
      price: 1,
      stock_kind: 'serial_pool',
      items: [`KEY-${randomUUID()}`],
    }),
  },
  update_product: {
    route: 'PATCH /api/v1/products/:product_id',
    access: 'sell',
    input: ({ hidden }) => ({ product_id: hidden, price: 2 }),
    answers: onlySeller,
    object: 'product_id',
  },
  my_products: {
    route: 'GET /api/v1/products/mine',
    access: 'sell',
    also: { 'an agent': ofBuyer },
  },
  add_stock: {
    route: 'POST /api/v1/products/:product_id/stock',
    access: 'sell',
    input: ({ hidden }) => ({ product_id: hidden, items: [`KEY-${randomUUID()}`] }),
    answers: onlySeller,
    object: 'product_id',
  },
  stock_status: {
    route: 'GET /api/v1/products/:product_id/stock',
    access: 'sell',
    input: ({ hidden }) => ({ product_id: hidden }),
    answers: onlySeller,
    object: 'product_id',
  },
  ...DEPOSIT_RIGHTS,
  ...TASK_RIGHTS,
  ...DATASET_RIGHTS,
  ...MESSAGE_RIGHTS,
  ...LABOR_RIGHTS,
  ...WEBHOOK_RIGHTS,
  list_events: { route: 'GET /api/v1/events', access: 'any' },
  get_job: {
    route: 'GET /api/v1/jobs/:job_id',
    access: 'any',
    input: ({ job }) => ({ job_id: job }),
    answers: onlyBuyer,
    object: 'job_id',
  },
  agent_names: { route: 'GET /api/v1/agent/names', access: 'read', isTool: false },
};
