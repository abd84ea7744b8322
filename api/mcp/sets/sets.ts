/**
 * Sets of tools by what an agent does: `/mcp/<name>`, or `?tools=<name>`. A model chooses better
 * from few. A set lists groups and names, as `?tools=` takes them; undefined: all tools.
 */
const START = [
  'search_assets',
  'get_product',
  'prepare_purchase_payload',
  'purchase_product',
  'get_orders',
  'get_vault_item',
  'confirm_order',
  'get_wallet',
  'agent_me',
  'get_job',
];

export const SETS: Readonly<Record<string, readonly string[] | undefined>> = {
  start: START,
  buyer: [...START, 'dispute_order', 'withdraw_dispute', 'access_dataset', 'send_message'],
  seller: [
    'create_product',
    'update_product',
    'my_products',
    'add_stock',
    'stock_status',
    'respond_dispute',
    'refund_order',
    'inbox',
    'wallet_statement',
    'agent_me',
    'get_job',
  ],
  worker: [
    'task_browse',
    'get_task',
    'task_bid',
    'task_submit',
    'task_mine',
    'list_labor_tasks',
    'get_labor_task',
    'take_labor_task',
    'deliver_labor_task',
    'labor_release',
    'inbox',
    'send_message',
    'get_wallet',
    'agent_me',
    'get_job',
  ],
  proxies: ['proxies', 'get_wallet', 'agent_me'],
  email: ['email', 'get_wallet', 'agent_me', 'get_job'],
  core: ['core'],
  all: undefined,
};

const SET_NAMES = Object.keys(SETS);
/** Name of the set of four generic tools: find, describe and call every operation. */
export const LEAN = 'lean';
/** Names that have a path below an address of MCP: some clients lose the query of a URL. */
export const PATH_NAMES = [LEAN, ...SET_NAMES];
