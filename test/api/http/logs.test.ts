// test:all: processes of their own are started, and every line that they write is read.
import { expect } from 'chai';

import { eventually, TestPlatform } from '../../harness.ts';
import { asOwner } from '../../as_owner.ts';
import { launch, MASTER_KEYS, urlOf, type ApiProcess } from '../api_process.ts';

const PASSWORD = 'a password of nobody';
/** Goods that sellers put up, and buyers get. */
const GOODS = ['goods-one-by-one', 'goods-for-everybody'] as const;

describe('the log of the API', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let api: ApiProcess;
  let worker: ApiProcess;
  let url: string;

  before(async () => {
    platform = await TestPlatform.open({ env: { MASTER_KEYS }, workers: false });
    const [DNS_SERVERS = ''] = platform.config.dnsServers;
    const env = { LOG_LEVEL: 'trace', DNS_SERVERS };
    [api, worker] = [launch(platform, env), launch(platform, env, 'workers/main.ts')];
    url = await urlOf(api);
  });
  after(async () => {
    for (const { child } of [api, worker]) child.kill('SIGKILL');
    await platform.close();
  });

  interface Line {
    [field: string]: unknown;
    err?: { type: string; message: string };
  }

  /** The complete lines. */
  const lines = (): Line[] =>
    api.written.text
      .split('\n')
      .slice(0, -1)
      .flatMap((line) => (line.startsWith('{') ? JSON.parse(line) : []));

  /** The lines about one request, once it has been answered. */
  const linesOf = (id: string | null) =>
    eventually(
      async () => lines().filter(({ request_id }) => request_id === id),
      (found) => found.some(({ status }) => status !== undefined),
    );

  async function ask(route: string, init: RequestInit = {}) {
    const [method, path] = route.split(' ') as [string, string];
    const answer = await fetch(url + path, { method, ...init });
    const text = await answer.text();
    return { status: answer.status, text, log: await linesOf(answer.headers.get('x-request-id')) };
  }

  it('has one line a request, with its agent, operation and duration, and without its URL', async () => {
    const { id, key } = await platform.agent();
    const headers = { authorization: `Bearer ${key}` };
    const { log } = await ask('GET /api/v1/orders/12345?secret=swordfish', { headers });
    expect(log).to.have.length(1);
    expect(log[0]).to.include({
      level: 'info',
      process: 'api',
      method: 'GET',
      route: 'GET /api/v1/orders/:order_id',
      operation: 'get_order',
      agent_id: id,
      status: 404,
    });
    expect(log[0]!.ms).to.be.a('number');
    expect(JSON.stringify(log)).not.to.contain('12345').and.not.to.contain('swordfish');
  });

  it('names the tool of a tool call', async () => {
    const { id, key } = await platform.agent();
    for (const [path, message] of [
      ['/api/v1/mcp/call', { tool: 'get_wallet' }],
      [
        '/api/v1/mcp',
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_wallet' } },
      ],
    ] as const) {
      const headers = { authorization: `Bearer ${key}` };
      const { log } = await ask(`POST ${path}`, { headers, body: JSON.stringify(message) });
      expect(log[0]).to.include({ route: `POST ${path}`, operation: 'get_wallet', agent_id: id });
    }
  });

  it('describes a fault once, and its caller is answered nothing of it', async () => {
    const { key } = await platform.agent();
    await asOwner(platform, 'revoke select on agent from market_app');
    const headers = { authorization: `Bearer ${key}` };
    const { status, text, log } = await ask('GET /api/v1/agent/me', { headers });
    await asOwner(platform, 'grant select on agent to market_app');
    expect(status).to.equal(500);
    expect(JSON.parse(text)).to.include({ error: 'internal_error', retryable: true });
    expect(text).not.to.match(/permission|table|sql/i);
    const faults = log.filter(({ err }) => err !== undefined);
    expect(faults).to.have.length(1);
    expect(faults[0]).to.include({ level: 'error', operation: 'agent_me' });
    expect(faults[0]!.err!.message).to.contain('table agent');
  });

  it('never holds a key, a password or a token, wherever it is sent', async () => {
    const { key } = await platform.agent();
    const proxyKey = (await platform.request('GET /api/v1/proxy/my-key', { key })).body.key;
    const operatorToken = platform.config.agents.operators[0]!.token;
    const secrets = [key, proxyKey, PASSWORD, operatorToken, MASTER_KEYS, 'pw_in_basic'];
    const basic = Buffer.from(`me:pw_in_basic`).toString('base64');
    const body = JSON.stringify({ username: key, email: key, password: PASSWORD, api_key: key });
    const tokens = [key, proxyKey, operatorToken];
    const bearers = [...tokens.map((token) => `Bearer ${token}`), `Basic ${basic}`, key];
    for (const authorization of bearers) {
      for (const route of [
        'POST /api/v1/agent/register',
        'POST /api/v1/orders',
        `POST /api/v1/mcp/call`,
        `POST /api/v1/mcp?tools=${key}`,
        `POST /api/v1/admin/products/1/review`,
        `POST /${key}/${operatorToken}`,
        `POST /api/v1/orders?key=${key}&password=${encodeURIComponent(PASSWORD)}`,
      ]) {
        for (const id of [key, proxyKey]) {
          const headers = { authorization, 'x-request-id': id, 'idempotency-key': id };
          await ask(route, { headers, body });
        }
      }
      await ask(`GET /api/v1/jobs/${key}?wait=1`, { headers: { authorization } });
    }
    await asOwner(platform, 'alter table api_key rename to renamed');
    await ask('GET /api/v1/wallet', { headers: { authorization: `Bearer ${key}` } });
    const created = await ask('POST /api/v1/agent/register', {
      body: JSON.stringify({ username: 'ada_l', email: 'ada@example.com', password: PASSWORD }),
    });
    expect(created.status).to.equal(503);
    await asOwner(platform, 'alter table renamed rename to api_key');
    expect(lines().length).to.be.above(30);
    for (const secret of [...secrets, basic]) expect(api.written.text).not.to.contain(secret);
  });

  it('holds no secret and no goods, whatever of the database fails, at the most verbose level', async () => {
    const { key } = await platform.agent({ usd: 10 });
    const headers = { authorization: `Bearer ${key}` };
    const post = (route: string, body: object) =>
      ask(route, { method: 'POST', headers, body: JSON.stringify(body) });
    const listing = { title: 'A thing', description: 'Any.', category: 'serial_key', price: 0.1 };
    const pool = { ...listing, stock_kind: 'serial_pool', items: [GOODS[0]] };
    const shared = { ...listing, stock_kind: 'unlimited', content: GOODS[1] };
    const seller = await platform.agent();
    const { id: product_id } = await platform.product(seller, shared);
    const { text } = await post('POST /api/v1/orders', { product_id });
    const { item_endpoint: vault } = JSON.parse(text);
    expect(await ask(`GET ${vault}`, { headers })).to.include({ status: 200 });

    const tables = 'agent api_key product stock orders job proxy_key event'.split(' ');
    let faults = 0;
    for (const table of tables) {
      await asOwner(platform, `alter table ${table} rename to renamed`);
      const username = `u_${table}`;
      const person = { username, email: `${username}@example.com`, password: PASSWORD };
      const answers = [
        await post('POST /api/v1/agent/register', person),
        await post('POST /api/v1/products', pool),
        await post('POST /api/v1/products', shared),
        await post(`POST /api/v1/products/${product_id}/stock`, { items: [GOODS[0]] }),
        await post('POST /api/v1/orders?wait=1', { product_id }),
        await post('POST /api/v1/agent/keys', { scopes: ['read'] }),
        await ask(`GET ${vault}`, { headers }),
        await ask('GET /api/v1/proxy/my-key', { headers }),
      ];
      await asOwner(platform, `alter table renamed rename to ${table}`);
      faults += answers.filter(({ status }) => status === 503).length;
      for (const answer of answers) expect(answer.text).not.to.match(/renamed|relation|insert/);
    }
    expect(faults).to.be.above(tables.length);
    await eventually(
      async () => worker.written.text,
      (written) => written.includes('an attempt of a job failed'),
    );
    const { body } = await platform.request('GET /api/v1/proxy/my-key', { key });
    const databasePassword = new URL(platform.config.databaseUrl).password;
    const secrets = [key, seller.key, body.key, PASSWORD, ...GOODS, databasePassword, MASTER_KEYS];
    for (const { written } of [api, worker]) {
      for (const secret of secrets) expect(written.text.includes(secret), secret).to.equal(false);
    }
  });
});
