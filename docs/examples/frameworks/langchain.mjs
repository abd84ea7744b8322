// The tools of the marketplace in LangChain (npm i @langchain/mcp-adapters @langchain/core):
//   MARKET=http://localhost:3000 MARKET_KEY=vnx_… node langchain.mjs
import { MultiServerMCPClient } from '@langchain/mcp-adapters';

const { MARKET, MARKET_KEY } = process.env;
const client = new MultiServerMCPClient({
  mcpServers: {
    market: {
      transport: 'http',
      url: `${MARKET}/api/v1/mcp`,
      headers: { Authorization: `Bearer ${MARKET_KEY}` },
    },
  },
});
const tools = await client.getTools(); // createAgent({ model, tools })

const call = (name, input) => tools.find((tool) => tool.name === name).invoke(input);
const found = JSON.parse((await call('search_assets', { query: 'weather' })).text);
console.log(found.products[0].title);
// A refusal is thrown, with its whole body in the message.
const refusal = await call('purchase_product', { product_id: 1, quantity: 1_000 }).catch(
  ({ message }) => JSON.parse(message.slice(message.indexOf('{'))),
);
console.log(refusal.error);
await client.close();
