import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { catalog } from '../../shared/composition/catalog.ts';
import { canDryRun } from '../../shared/kernel/terms/dry_run.ts';
import { TestPlatform } from '../harness.ts';
import { inQueue } from '../in_queue.ts';
import { unitsOf } from '../labor/pool.ts';
import { meet } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';
import { stock } from '../proxies/stock.ts';
import { done } from '../tasks/board.ts';
import { allRows } from './all_rows.ts';

describe('a dry run', () => {
  let platform: TestPlatform;
  let buyer: { id: number; key: string };
  let seller: { id: number; key: string };
  let product: { id: number };
  let proxy: number | undefined;
  before(async () => {
    platform = await TestPlatform.open();
    ({ buyer, seller, product } = await meet(platform, { items: ['a', 'b', 'c'] }));
    [proxy] = await stock(platform);
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const balance = async () =>
    (await platform.request('GET /api/v1/wallet', { key: buyer.key })).body.balance;
  const order = (body: object, key = buyer.key) =>
    platform.request('POST /api/v1/orders', { key, body: { product_id: product.id, ...body } });
  const tryOrder = async (body: object = {}, key = buyer.key) =>
    done(await order({ dry_run: true, ...body }, key));

  /** A call of each operation that spends, as its caller would make it. */
  const CALLS: readonly (readonly [operation: string, route: string, body?: () => object])[] = [
    ['purchase_product', 'POST /api/v1/orders', () => ({ product_id: product.id, quantity: 2 })],
    ['proxy_list', 'GET /api/v1/proxy/list?limit=1'],
    ['proxy_fetch_one', 'GET /api/v1/proxy/:proxy'],
    ['validate_email', 'GET /api/v1/email/validate/ada@mail.example'],
    ['validate_emails', 'POST /api/v1/email/validate', () => ({ emails: ['a@b.example'] })],
    ['task_post', 'POST /api/v1/tasks', () => ({ title: 'Name a sea', budget: 1 })],
    [
      'post_labor_task',
      'POST /api/v1/labor',
      () => ({
        kind: 'labeling',
        title: 'Cat or dog',
        instructions: 'Answer cat or dog.',
        reward: 0.01,
        units: unitsOf('first', 'second'),
      }),
    ],
    [
      'issue_asa',
      'POST /api/v1/asa',
      () => ({ name: 'Sea', unit_name: 'SEA', total_supply: 1000, decimals: 0 }),
    ],
  ];
  const TAKES: Readonly<Record<string, number>> = {
    purchase_product: 2.2,
    proxy_list: 0.001,
    proxy_fetch_one: 0.001,
    validate_email: 0.002,
    validate_emails: 0.002,
    task_post: 1,
    post_labor_task: 0.02,
  };

  for (const [operation, route, body] of CALLS) {
    it(`of ${operation} says what it would take, and changes no row`, async () => {
      const held = await balance();
      const before = await allRows(platform);
      const [method, path] = route.replace(':proxy', String(proxy)).split(' ') as [string, string];
      const isGet = method === 'GET';
      const sent = isGet ? `${path}${path.includes('?') ? '&' : '?'}dry_run=true` : path;
      const reply = await platform.request(`${method} ${sent}`, {
        key: buyer.key,
        ...(body && { body: { ...body(), dry_run: true } }),
      });
      const answer = done(reply);
      expect(answer).to.include({ dry_run: true, would: 'succeed', refusal: null });
      if (TAKES[operation] !== undefined) expect(answer.takes).to.equal(TAKES[operation]);
      expect(answer.takes).to.be.above(0);
      expect(answer.balance_after).to.be.closeTo(held - answer.takes, 1e-9);
      const after = await allRows(platform);
      const changed = [...after].filter(([table, rows]) => before.get(table) !== rows);
      expect(changed).to.deep.equal([]);
    });
  }

  it('is possible for every operation that takes money', () => {
    const spending = [...catalog.values()].filter(canDryRun).map(({ name }) => name);
    // The others take the same way as issue_asa, and as validate_emails.
    const others = ['mint_nft', 'create_solana_collection', 'validate_email_file'];
    expect(spending).to.have.members([...CALLS.map(([name]) => name), ...others]);
  });

  it('says why the call would be refused, with the trace of the policy', async () => {
    const poor = await platform.agent();
    const answer = await tryOrder({ quantity: 2 }, poor.key);
    expect(answer).to.include({ would: 'be_refused', takes: null, balance_after: 0.5 });
    expect(answer.refusal.error).to.equal('insufficient_balance');
    const emails = 'GET /api/v1/email/validate/ada@mail.example?dry_run=true';
    await setPolicy(platform, poor, { allowed_product_types: ['dataset'] });
    const unchecked = done(await platform.request(emails, { key: poor.key }));
    expect(unchecked).to.include({ would: 'be_refused', takes: null });
    expect((await tryOrder({}, seller.key)).refusal.error).to.equal('self_purchase');
    expect((await tryOrder({ quantity: 9 })).refusal.error).to.equal('out_of_stock');
    expect((await tryOrder({ max_total_due: 0.5 })).refusal.error).to.equal('price_changed');
    await setPolicy(platform, buyer, { max_spend_per_tx: 500_000 });
    const limited = await tryOrder();
    expect(limited.refusal.error).to.equal('tx_limit_exceeded');
    expect(limited.refusal.details.policy_trace).to.include({
      rule: 'max_spend_per_tx',
      policy_of: buyer.id,
      limit: 0.5,
    });
    await setPolicy(platform, buyer, { max_spend_per_tx: 5_000_000, approval_threshold: 500_000 });
    const asking = await tryOrder();
    expect(asking).to.include({ would: 'wait_for_approval', takes: null });
    expect(asking.refusal.details.policy_trace).to.include({ policy_of: buyer.id });
    const approvals = await platform.request('GET /api/v1/approvals', { key: buyer.key });
    expect(approvals.body.approvals).to.deep.equal([]);
    await setPolicy(platform, buyer, { max_spend_per_tx: null, approval_threshold: null });
  });

  it('binds no Idempotency-Key, and its end is no part of the log of costs', async () => {
    const headers = { 'idempotency-key': 'dry-then-wet' };
    const body = { product_id: product.id };
    const dry = { key: buyer.key, headers, body: { ...body, dry_run: 'true' } };
    const said = done(await platform.request('POST /api/v1/orders', dry));
    const held = await balance();
    const wet = { key: buyer.key, headers, body: { ...body, dry_run: false } };
    const bought = done(await platform.request('POST /api/v1/orders', wet));
    expect(bought.total_due).to.equal(said.takes);
    expect(await balance()).to.be.closeTo(held - said.takes, 1e-9);
    await platform.context.requestLog.write();
    const costs = await platform.query(
      `select cost::int from request where agent_id = $1 and operation = 'purchase_product'
        order by id desc limit 2`,
      [buyer.id],
    );
    expect(costs.map(({ cost }: { cost: number }) => cost)).to.deep.equal([1_100_000, 0]);
  });

  it('is asked for by true alone, and of calls that spend alone', async () => {
    const held = await balance();
    for (const dry_run of ['yes', 1, 'TRUE', [], {}]) {
      const { status, body } = await order({ dry_run });
      expect([status, body.details.fields[0].pointer]).to.deep.equal([422, '/dry_run']);
    }
    const free = { title: 'x', price: 1, category: 'api_service', dry_run: true };
    const created = await platform.request('POST /api/v1/products', { ...seller, body: free });
    expect([created.status, created.body.error]).to.deep.equal([422, 'validation_error']);
    expect(await balance()).to.equal(held);
  });

  it('of a file of addresses tells the most that it costs, and leaves it as it was', async () => {
    const content = 'email\nada@mail.example\nbob@mail.example\n';
    const upload = { key: buyer.key, body: { content, name: 'list.csv' } };
    const { file_id } = done(await platform.request('POST /api/v1/email/files', upload));
    const route = `POST /api/v1/email/files/${file_id}/validate`;
    const tried = { key: buyer.key, body: { dry_run: true } };
    for (const _again of [1, 2]) {
      const answer = done(await platform.request(route, tried));
      expect(answer).to.include({ would: 'succeed', takes: 0.004 });
    }
    const file = await platform.request(`GET /api/v1/email/files/${file_id}`, buyer);
    expect(file.body.status).to.equal('uploaded');
  });

  it('is refused beside a call of a tool, where nothing would read it', async () => {
    const held = await balance();
    const params = { title: 'Name a sea', budget: 0.5 };
    for (const [route, body] of [
      ['/api/v1/mcp/call', { tool: 'task_post', params }],
      [
        '/api/v1/mcp',
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'task_post', arguments: params },
        },
      ],
    ] as const) {
      const reply = await platform.request(`POST ${route}?dry_run=true`, { key: buyer.key, body });
      expect(reply.status, reply.text).to.equal(422);
    }
    expect(await balance()).to.equal(held);
  });

  it('is answered as JSON, whatever form the result would have', async () => {
    const route = 'GET /api/v1/proxy/list?limit=1&format=csv&dry_run=true';
    expect(done(await platform.request(route, buyer))).to.include({ dry_run: true });
  });

  it('is a result of the tool, of the form that its list says', async () => {
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'purchase_product', arguments: { product_id: product.id, dry_run: true } },
    };
    const { body } = await platform.request('POST /api/v1/mcp', { key: buyer.key, body: call });
    expect(body.result.isError).to.not.equal(true);
    expect(body.result.structuredContent).to.include({ dry_run: true, would: 'succeed' });
    const ran = await platform.request('POST /api/v1/mcp/lean', {
      key: buyer.key,
      body: {
        ...call,
        params: {
          name: 'run_operation',
          arguments: { name: 'purchase_product', params: call.params.arguments },
        },
      },
    });
    expect(ran.body.result.structuredContent).to.include({ dry_run: true, would: 'succeed' });
  });

  it('waits for nobody: two of the last unit, and a purchase of it, all succeed', async () => {
    const last = await meet(platform, { items: ['one'] });
    product = last.product;
    const key = last.buyer.key;
    const [first, second] = await Promise.all([tryOrder({}, key), tryOrder({}, key)]);
    for (const { would } of [first, second]) expect(would).to.equal('succeed');
    expect((await order({}, key)).status).to.equal(200);
    expect((await tryOrder({}, key)).refusal.error).to.equal('out_of_stock');
  });

  it('says what it would take, whatever other calls of the tree do meanwhile', async () => {
    const { id: product_id } = await platform.product(seller, { items: ['d', 'e'] });
    const lock = `select from ledger.treasury where id = ${buyer.id} for update`;
    const [bought, tried] = await inQueue(platform, lock, [
      () => order({ product_id }),
      () => order({ product_id, dry_run: true }),
    ]);
    expect(bought!.status, bought!.text).to.equal(200);
    expect(tried!.body.takes).to.equal(bought!.body.total_due);
  });
});
