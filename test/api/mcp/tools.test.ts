import { expect } from 'chai';
import { Ajv } from 'ajv';

import { TestPlatform } from '../../harness.ts';

interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: {
    type: string;
    properties: Record<string, { description?: string }>;
    required?: string[];
  };
  outputSchema: { type: string; anyOf: object[] };
  annotations: Record<string, boolean | string>;
}

/** The interface's table, in its order, with the fields that it requires. */
const INTERFACE: Record<string, string[]> = {
  search_assets: ['query'],
  list_products: [],
  get_product: ['product_id'],
  prepare_purchase_payload: ['product_id'],
  purchase_product: ['product_id'],
  get_orders: [],
  get_vault_item: ['order_id'],
  get_wallet: [],
  stripe_topup: ['amount'],
  set_auto_recharge: [],
  proxy_info: [],
  proxy_countries: [],
  proxy_list: [],
  proxy_fetch_one: ['proxy_id'],
  proxy_my_key: [],
  validate_email: ['email'],
  email_quota: [],
  algo_info: [],
  algo_deposit: [],
  algo_verify_deposit: ['tx_id'],
  issue_asa: ['name', 'unit_name', 'total_supply'],
  solana_info: [],
  solana_collection: [],
  solana_verify: ['tx_id'],
  solana_metadata: ['product_id'],
  evm_info: [],
  evm_abi: [],
  evm_verify: ['tx_hash'],
  task_browse: [],
  task_post: ['title', 'budget'],
  task_bid: ['task_id', 'bid_amount'],
  task_submit: ['task_id', 'result'],
  task_approve: ['task_id'],
  task_mine: [],
  list_labor_tasks: [],
  take_labor_task: ['task_id'],
  deliver_labor_task: ['task_id', 'claim_id', 'submission'],
  list_datasets: [],
  access_dataset: ['dataset_id'],
  register_agent: ['username', 'email', 'password'],
  spawn_agent: ['name'],
};

describe('the list of tools', () => {
  let platform: TestPlatform;
  let agent: { key: string };

  before(async () => {
    platform = await TestPlatform.open();
    agent = await platform.agent();
  });
  after(() => platform.close());

  async function list(query = '', key?: string): Promise<Tool[]> {
    const { body } = await platform.request(`POST /api/v1/mcp${query}`, {
      key,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    return body.result.tools;
  }
  const names = (tools: Tool[]) => tools.map(({ name }) => name);

  it("begins with the interface's tools, in its order and with its required fields", async () => {
    const tools = await list();
    const core = tools.filter(({ name }) => name in INTERFACE);
    expect(names(tools).slice(0, core.length)).to.deep.equal(names(core));
    const order = Object.keys(INTERFACE).filter((name) => names(core).includes(name));
    expect(names(core)).to.deep.equal(order);
    for (const { name, inputSchema } of core) {
      expect(inputSchema.required ?? [], name).to.have.members(INTERFACE[name]!);
    }
  });

  it("gives exactly the interface's tools as ?tools=core, whatever the key", async () => {
    const core = names(await list('?tools=core'));
    expect(Object.keys(INTERFACE)).to.include.members(core);
    const reader = await platform.keyOf(agent, ['read']);
    expect(names(await list('?tools=core', reader))).to.deep.equal(core);
  });

  it('gives groups, and refuses those that do not exist', async () => {
    const market = names(await list('?tools=market'));
    expect(market).to.include.members(['purchase_product', 'get_orders']);
    expect(market).not.to.include('get_wallet');
    expect(names(await list('?tools=market,wallet'))).to.include.members([...market, 'get_wallet']);
    const { status, body } = await platform.request('POST /api/v1/mcp?tools=none', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    expect([status, body.error]).to.deep.equal([422, 'validation_error']);
  });

  it('leaves out what the key does not allow', async () => {
    const reader = names(await list('', await platform.keyOf(agent, ['read'])));
    expect(reader).to.include('get_wallet');
    expect(reader).not.to.include('purchase_product');
    expect(names(await list('', agent.key))).to.include('purchase_product');
  });

  it('says of every tool what it does, what it takes and what it answers', async () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const tool of await list('', agent.key)) {
      const { name, title, description, inputSchema, outputSchema, annotations } = tool;
      expect(title, name).to.match(/^[A-Z]/);
      expect(description, name).to.have.length.within(20, 1_000);
      expect(inputSchema.type, name).to.equal('object');
      for (const [field, schema] of Object.entries(inputSchema.properties)) {
        expect(schema.description, `${name}.${field}`).to.be.a('string');
      }
      expect(outputSchema.type, name).to.equal('object');
      expect(ajv.validateSchema(outputSchema), name).to.equal(true);
      expect(JSON.stringify(tool), name)
        .not.to.contain('multipleOf')
        .and.not.to.contain('"default"');
      for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
        expect(annotations[hint], `${name} ${hint}`).to.be.a('boolean');
      }
    }
  });

  it('declares pending answers of jobs, and refusals of all tools, in output schemas', async () => {
    const tools = await list('', agent.key);
    const purchase = tools.find(({ name }) => name === 'purchase_product')!;
    expect(purchase.outputSchema.anyOf).to.have.length(3);
    expect(purchase.annotations).to.include({ readOnlyHint: false, destructiveHint: true });
    expect(purchase.inputSchema.properties).to.include.keys('idempotency_key', 'wait');
    const wallet = tools.find(({ name }) => name === 'get_wallet')!;
    expect(wallet.outputSchema.anyOf).to.have.length(2);
    expect(wallet.annotations).to.include({ readOnlyHint: true, idempotentHint: true });
    expect(wallet.inputSchema.properties).not.to.have.any.keys('idempotency_key', 'wait');
  });

  it('declares an idempotency_key only where repeats are recognised', async () => {
    const tools = await list('', agent.key);
    const keyed = (name: string) =>
      'idempotency_key' in tools.find((tool) => tool.name === name)!.inputSchema.properties!;
    expect(['get_vault_item', 'register_agent', 'get_job'].filter(keyed)).to.deep.equal([]);
    expect(['confirm_order', 'create_product'].filter(keyed)).to.have.length(2);
  });
});
