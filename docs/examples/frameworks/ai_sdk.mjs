// The tools of the marketplace in the AI SDK (npm i @ai-sdk/mcp ai):
//   MARKET=http://localhost:3000 MARKET_KEY=vnx_… node ai_sdk.mjs
import { createMCPClient } from '@ai-sdk/mcp';

const { MARKET, MARKET_KEY } = process.env;
const client = await createMCPClient({
  transport: {
    type: 'http',
    url: `${MARKET}/api/v1/mcp`,
    headers: { Authorization: `Bearer ${MARKET_KEY}` },
  },
});
const tools = await client.tools(); // generateText({ model, tools, prompt })

const call = (name, input) => tools[name].execute(input, { messages: [], toolCallId: name });
const found = await call('search_assets', { query: 'weather' });
console.log(found.structuredContent.products[0].title);
// A refusal is an answer like any other: the model reads what to do instead.
const refused = await call('purchase_product', { product_id: 1, quantity: 1_000 });
console.log(refused.isError, refused.structuredContent.error);
await client.close();
