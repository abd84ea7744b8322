// A first purchase with an MCP client: node docs/examples/first_purchase.mjs [base URL]
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const base = process.argv[2] ?? 'http://localhost:3000';

async function connect(key) {
  const client = new Client({ name: 'first-purchase', version: '1.0.0' });
  const headers = key ? { Authorization: `Bearer ${key}` } : {};
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${base}/api/v1/mcp`), { requestInit: { headers } }),
  );
  return async (name, args = {}) => {
    const { structuredContent, isError } = await client.callTool({ name, arguments: args });
    console.log(`${name} ${JSON.stringify(args)}\n  → ${JSON.stringify(structuredContent)}`);
    if (isError) throw new Error(structuredContent.message);
    return structuredContent;
  };
}

const username = `agent-${Date.now().toString(36)}`;
const anonymous = await connect();
const { api_key } = await anonymous('register_agent', {
  username,
  email: `${username}@example.com`,
  password: 'correct-horse-battery',
});

const call = await connect(api_key.key);
const { products } = await call('search_assets', { query: 'calendar', max_price: 0.2, limit: 1 });
const { product_id } = products[0];
const { quote_id } = await call('prepare_purchase_payload', { product_id });
const { order_id } = await call('purchase_product', {
  product_id,
  quote_id, // the price and the unit that were shown, for a minute
  idempotency_key: `first-${username}`, // repeat the call as often as you like: one charge
});
await call('get_vault_item', { order_id });
await call('get_wallet');
process.exit(0);
