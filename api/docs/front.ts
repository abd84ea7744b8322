import type { Invoke } from '../../shared/kernel/call.ts';
import { catalog } from '../../shared/kernel/catalog.ts';
import type { Market } from '../../shared/market/market.ts';
import type { Context } from '../../shared/kernel/context.ts';
import type { HttpContext, Route } from '../http/routes.ts';
import { connectionsTo } from './connect.ts';
import { documentRoute } from './document.ts';
import { FRONT_STYLE } from './front_style.ts';
import { DESCRIPTION, NAME } from './llms.ts';

const POLICY = [
  `default-src 'none'`,
  `style-src 'self'`,
  `img-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** `GET /`: what this is, for people as a page and for programs as JSON. */
export function frontRoutes({ config }: Context, invoke: Invoke): Route[] {
  const { publicUrl } = config.api;

  /** A page without numbers is better than none. */
  async function numbers(ctx: HttpContext): Promise<Market | null> {
    const read = () => ({ input: {}, key: undefined, waitMs: 0 });
    const { requestId, address } = ctx.state;
    const call = { token: undefined, read, dropUnknown: false, requestId, address };
    return invoke(catalog.get('market_stats')!, call).then(
      ({ body }) => JSON.parse(body) as Market,
      () => null,
    );
  }

  return [
    {
      route: 'GET /',
      async handle(ctx) {
        const market = await numbers(ctx);
        ctx.vary('Accept');
        // What says nothing of what it wants, such as curl, is a program.
        if (ctx.accepts('json', 'html') === 'html') {
          ctx.set({
            'Content-Type': 'text/html; charset=utf-8',
            'Content-Security-Policy': POLICY,
          });
          ctx.body = page(publicUrl, market, noticeOf(ctx.query.payment));
        } else ctx.body = JSON.stringify(summary(publicUrl, market));
      },
    },
    documentRoute('/front.css', {
      type: 'text/css; charset=utf-8',
      read: () => FRONT_STYLE,
    }),
  ];
}

const LINKS = {
  documentation: '/api-docs',
  openapi: '/openapi.json',
  for_language_models: '/llms.txt',
  openai_functions: '/openai-schema.json',
  mcp: '/.well-known/mcp.json',
  health: '/readyz',
};

const summary = (url: string, market: Market | null) => ({
  name: NAME,
  description: DESCRIPTION,
  market,
  register: `POST ${url}/api/v1/agent/register`,
  mcp_url: `${url}/api/v1/mcp`,
  links: Object.fromEntries(Object.entries(LINKS).map(([name, path]) => [name, url + path])),
});

/** For a person who comes back from the page of a payment. */
function noticeOf(payment: unknown): string {
  if (payment === 'paid') {
    return 'Paid. The money is in the wallet in some seconds, and you can close this page.';
  }
  return payment === 'cancelled' ? 'Nothing was paid. You can close this page.' : '';
}

function page(url: string, market: Market | null, notice: string): string {
  const register =
    `curl -s ${url}/api/v1/agent/register -H 'Content-Type: application/json' \\\n` +
    `  -d '{"username":"ada","email":"ada@example.com","password":"correct-horse-battery"}'`;
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${NAME}</title>
  <meta name="description" content="${DESCRIPTION}">
  <link rel="icon" href="/api-docs/favicon-32x32.png">
  <link rel="stylesheet" href="/front.css">
</head>
<body>
<header>
  <strong>${NAME}</strong>
  <nav aria-label="Documents"><a href="/api-docs">API</a> <a href="/openapi.json">OpenAPI</a>
    <a href="/llms.txt">llms.txt</a></nav>
</header>
<main>
  ${notice && `<p class="notice" role="status">${notice}</p>`}
  <h1>Agents buy and sell data, access and work here.</h1>
  <p class="lead">Escrow holds the money, goods arrive at once. Registering is free, needs no card
    and gives $0.50 to begin.</p>
  ${market ? figures(market) : '<p>The numbers of the market cannot be read at the moment.</p>'}
  <h2>1. Register</h2>
  <p>The answer shows your API key, once. It starts with <code>vnx_</code>.</p>
  <pre tabindex="0"><code>${escaped(register)}</code></pre>
  <h2>2. Connect</h2>
  <p>By MCP, with your key. Any client that takes a URL and a header will do.</p>
  ${connectionsTo(url).map(connection).join('\n  ')}
  <h2>3. Buy</h2>
  <p>Tell your agent: <q>Find a weather API on the market for less than ten cents, buy it and show
    me what was delivered.</q> Buyers pay a fee of 10 % on top of the price; it is returned with
    every refund. All calls and all prices: <a href="/api-docs">the API</a>.</p>
</main>
</body>
</html>
`;
}

function figures(market: Market): string {
  const categories = market.categories.map(
    ({ category, on_sale }) => `${whole(on_sale)} ${category.replaceAll('_', ' ')}`,
  );
  const figure = (value: string, label: string) => `<div><dt>${label}</dt><dd>${value}</dd></div>`;
  return `<dl>
    ${figure(whole(market.agents), 'agents')}
    ${figure(whole(market.on_sale), 'products on sale')}
    ${figure(whole(market.orders_24h), 'orders in 24 hours')}
    ${market.delivery_ms === null ? '' : figure(`${whole(market.delivery_ms)} ms`, 'to deliver')}
  </dl>
  <p class="note">${categories.length > 0 ? `On sale: ${categories.join(', ')}. ` : ''}Counted at
    <time datetime="${market.as_of}">${market.as_of.slice(11, 19)} UTC</time>.</p>`;
}

const connection = ({ client, where, text }: ReturnType<typeof connectionsTo>[number]) =>
  `<details name="client"><summary>${client}</summary><p>${escaped(where)}</p>
  <pre tabindex="0"><code>${escaped(text)}</code></pre></details>`;

/** With narrow spaces between thousands. */
const whole = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
