import { openMarket, type Market } from '../src/client.ts';

declare const process: { readonly argv: readonly string[] };

/** Command-line arguments of the program. */
export const args: readonly string[] = process.argv.slice(2);

/** Opens the marketplace of the first argument, with the key of the second or as a new agent. */
export async function openFromArguments(name: string): Promise<Market> {
  const [baseUrl = 'http://localhost:3000', key] = args;
  if (key) return openMarket({ baseUrl, key });
  const username = `${name}-${Date.now().toString(36)}`;
  const { api_key } = await openMarket({ baseUrl }).register_agent({
    username,
    email: `${username}@example.com`,
    password: crypto.randomUUID(),
  });
  return openMarket({ baseUrl, ...(api_key.key !== null && { key: api_key.key }) });
}
