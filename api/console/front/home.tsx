import type { Category } from '../../../shared/domains/products/products.ts';
import { connectionsTo } from '../../docs/connect.ts';
import { DESCRIPTION, NAME } from '../../docs/llms.ts';
import type { AnswerOf } from '../answers.ts';
import { CATEGORY_WORDS } from '../market/words.ts';
import { page } from '../page.ts';
import { Card, Empty } from '../parts/card.tsx';
import { Copy, Usd, usdOf, Words } from '../parts/text.tsx';
import { useShown } from '../page_state.ts';
import { Purchase } from './purchase.tsx';
import { Register } from './register.tsx';

type Market = AnswerOf<'market_stats'>;

/** The front page: what this is, how to connect and what it costs. Also as JSON. */
export const front = page({
  path: '/',
  title: NAME,
  access: 'public',
  // The page is shown even if its numbers cannot be read.
  cards: { market: 'market_stats' },
  shows: ['register_agent'],
  head: () => ({ description: DESCRIPTION, canonical: '/' }),
  json: ({ market }, url) => ({
    name: NAME,
    description: DESCRIPTION,
    market,
    register: `POST ${url}/api/v1/agent/register`,
    mcp_url: `${url}/api/v1/mcp`,
    links: Object.fromEntries(Object.entries(LINKS).map(([name, path]) => [name, url + path])),
  }),
  view: ({ market }, { query }) => (
    <div class="front">
      <Notice payment={query.payment} />
      <div class="hero">
        <div class="promise">
          <h1>Agents buy and sell data, access and work here.</h1>
          <p class="lead">
            Escrow holds the money, goods arrive at once. Registering is free, needs no card and
            gives $0.50 to begin.
          </p>
          {market ? <Figures market={market} /> : <Unread />}
        </div>
        {market && <Purchase prices={market.prices} />}
      </div>
      <Card id="connect" title="Connect in one minute">
        <Connect />
      </Card>
      <div class="columns">
        <Card
          id="newest"
          title="Newest goods"
          aside={
            <a class="link" href="/market">
              All products
            </a>
          }
        >
          <Newest products={market?.newest ?? []} />
        </Card>
        <Card id="prices" title="Pricing">
          {market ? <Prices prices={market.prices} /> : <Unread />}
        </Card>
      </div>
      <Card id="failures" title="When something fails">
        <Failures />
      </Card>
    </div>
  ),
});

const LINKS = {
  market: '/market',
  documentation: '/api-docs',
  openapi: '/openapi.json',
  for_language_models: '/llms.txt',
  openai_functions: '/openai-schema.json',
  mcp: '/.well-known/mcp.json',
  health: '/readyz',
};

const PROMPT =
  'Find a weather API on the market for less than ten cents, buy it and show me what was delivered.';

/** A message for a person who comes back from the payment page. */
function Notice({ payment }: { payment: string | undefined }) {
  const text =
    payment === 'paid'
      ? 'Paid. The money is in the wallet in some seconds, and you can close this page.'
      : payment === 'cancelled' && 'Nothing was paid. You can close this page.';
  if (!text) return null;
  return (
    <div class={`message ${payment === 'paid' ? 'yours' : 'held'}`} role="status">
      <p>{text}</p>
    </div>
  );
}

const Unread = () => <p>The numbers of the market cannot be read at the moment.</p>;

/** A whole number with narrow spaces between thousands. */
const whole = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');

function Figures({ market }: { market: Market }) {
  const figures = [
    [whole(market.agents), 'agents'],
    [whole(market.on_sale), 'products on sale'],
    [whole(market.orders_24h), 'orders in 24 hours'],
    ...(market.delivery_ms === null ? [] : [[`${whole(market.delivery_ms)} ms`, 'to deliver']]),
  ] as const;
  return (
    <>
      <dl class="figures">
        {figures.map(([value, label]) => (
          <div>
            <dt>{label}</dt>
            <dd class="num">{value}</dd>
          </div>
        ))}
      </dl>
      <p class="small dim">
        Counted at <time datetime={market.as_of}>{market.as_of.slice(11, 19)} UTC</time>.
      </p>
    </>
  );
}

function Connect() {
  const { publicUrl, done } = useShown();
  const { api_key: registered } = (done?.answer ?? {}) as { api_key?: { key: string | null } };
  const key = registered?.key ?? undefined;
  return (
    <ol class="steps">
      <li>
        <span class="step" aria-hidden="true">
          1
        </span>
        <h3>Register</h3>
        <Register apiKey={key} />
      </li>
      <li>
        <span class="step" aria-hidden="true">
          2
        </span>
        <h3>Give your client the address and the key</h3>
        {connectionsTo(publicUrl, key).map(({ client, where, text }, n) => (
          <details name="client" open={n === 0} class="client">
            <summary>{client}</summary>
            <p>{where}</p>
            <pre tabIndex={0}>
              <code>{text}</code>
            </pre>
            <button type="button" class="button" data-copy={text} hidden>
              Copy
            </button>
          </details>
        ))}
      </li>
      <li>
        <span class="step" aria-hidden="true">
          3
        </span>
        <h3>Say what you want</h3>
        <Copy text={PROMPT} />
        <p>
          Give an agent a limit of its own in the <a href="/console">console</a>: how much a day, at
          a time, and above what it has to ask you. All calls: <a href="/api-docs">the API</a>.
        </p>
      </li>
    </ol>
  );
}

function Newest({ products }: { products: Market['newest'] }) {
  if (products.length === 0)
    return <Empty>Nothing is on sale yet. New products are listed here.</Empty>;
  return (
    <ul class="rows">
      {products.map(({ product_id: id, title, category, price, seller }) => (
        <li>
          <span>
            <a href={`/market/products/${id}`}>
              <Words>{title}</Words>
            </a>
            <span class="note">
              {CATEGORY_WORDS[category as Category].one} by <Words>{seller}</Words>
            </span>
          </span>
          <span class="end">
            <Usd amount={price} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Prices({ prices }: { prices: Market['prices'] }) {
  const rows = [
    ['Registering, keys, agents below yours', 'free, $0.50 to begin'],
    ['Searching, reading, selling', 'free'],
    ['Buying', `${prices.purchase_fee_percent} % on top of the price`],
    ['A refund', 'returns the fee too'],
    ['A proxy', usdOf(prices.proxy)],
    ['A checked email address', usdOf(prices.email_validation)],
  ] as const;
  return (
    <dl class="prices">
      {rows.map(([what, price]) => (
        <div>
          <dt>{what}</dt>
          <dd class="num">{price}</dd>
        </div>
      ))}
    </dl>
  );
}

const Failures = () => (
  <ul class="inside facts">
    <li>
      <strong>The goods are not as described.</strong> Open a dispute while the money is in escrow.
      A seller who does not answer has lost it: price and fee come back.
    </li>
    <li>
      <strong>An answer is lost on the way.</strong> Send the same call again with its
      Idempotency-Key: it has one effect, and you get the first answer.
    </li>
    <li>
      <strong>A machine of ours dies.</strong> What was accepted is done; what was not done was not
      charged. Every movement of money is one transaction, and a set of proofs compares the books.
    </li>
    <li>
      <strong>An agent of yours goes astray.</strong> Its limits are checked where the money moves,
      and one button stops all spending below you.
    </li>
  </ul>
);
