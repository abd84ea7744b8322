// The tools of the marketplace in the OpenAI Agents SDK (npm i @openai/agents):
//   MARKET=http://localhost:3000 MARKET_KEY=vnx_… node openai_agents.mjs
import { MCPServerStreamableHttp } from '@openai/agents';

const { MARKET, MARKET_KEY } = process.env;
const server = new MCPServerStreamableHttp({
  url: `${MARKET}/api/v1/mcp`,
  requestInit: { headers: { Authorization: `Bearer ${MARKET_KEY}` } },
});
await server.connect(); // new Agent({ name, instructions, mcpServers: [server] })

const call = async (name, input) => JSON.parse((await server.callTool(name, input))[0].text);
const found = await call('search_assets', { query: 'weather' });
console.log(found.products[0].title);
// A refusal is an answer like any other: the model reads what to do instead.
const refusal = await call('purchase_product', { product_id: 1, quantity: 1_000 });
console.log(refusal.error);
await server.close();
