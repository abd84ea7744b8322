// The tools of the marketplace in Mastra (npm i @mastra/mcp):
//   MARKET=http://localhost:3000 MARKET_KEY=vnx_… node mastra.mjs
import { MCPClient } from '@mastra/mcp';

const { MARKET, MARKET_KEY } = process.env;
const client = new MCPClient({
  servers: {
    market: {
      url: new URL(`${MARKET}/api/v1/mcp`),
      requestInit: { headers: { Authorization: `Bearer ${MARKET_KEY}` } },
    },
  },
});
const tools = await client.listTools(); // new Agent({ name, model, tools })

const call = (name, input) => tools[`market_${name}`].execute(input);
const found = await call('search_assets', { query: 'weather' });
console.log(found.products[0].title);
// A refusal is thrown, with its whole body in the message.
const refusal = await call('purchase_product', { product_id: 1, quantity: 1_000 }).catch(
  ({ message }) => message.match(/"error":"(\w+)"/)?.[1],
);
console.log(refusal);
await client.disconnect();
