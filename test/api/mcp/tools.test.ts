import { expect } from 'chai';
import { Ajv } from 'ajv';

import { TEXTS } from '../../../api/mcp/resources.ts';
import { TestPlatform } from '../../harness.ts';

interface Schema {
  type?: string;
  anyOf?: object[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema & { properties: Record<string, { description?: string }> };
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

  it("gives the interface's tools as ?tools=core, and no other, whatever the key", async () => {
    const core = names(await list('?tools=core'));
    expect(core).to.deep.equal(Object.keys(INTERFACE));
    expect(core).to.have.length(41);
    const reader = await platform.keyOf(agent, ['read']);
    expect(names(await list('?tools=core', reader))).to.deep.equal(core);
  });

  it('adds those that they lead to as ?tools=core,related', async () => {
    const core = names(await list('?tools=core,related'));
    const own = core.filter((name) => name in INTERFACE);
    expect(core.slice(0, own.length)).to.deep.equal(Object.keys(INTERFACE));
    expect(core.slice(own.length)).to.include.members([
      'get_job', // of a pending answer
      'agent_me', // of the next_actions of a refusal
      'confirm_order', // of the available_actions of an order
      'dispute_order',
      'refund_order',
    ]);
    expect(core).not.to.include('create_product');
    const reader = await platform.keyOf(agent, ['read']);
    expect(names(await list('?tools=core,related', reader))).to.deep.equal(core);
  });

  it('names in ?tools=core,related no tool that is not in it', async () => {
    const all = names(await list());
    const core = await list('?tools=core,related');
    const { errors } = JSON.parse(TEXTS.get('marketplace://errors')!);
    const words = JSON.stringify([core, errors]).match(/\b[a-z]+(_[a-z]+)+\b/g)!;
    expect(names(core)).to.include.members(words.filter((word) => all.includes(word)));
  });

  it('is no larger than it must be', async () => {
    const tools = await list();
    // It was 3.5 kB for a tool with the error's schema and every object repeated in each of them.
    expect(JSON.stringify(tools).length / tools.length).to.be.below(2_356);
    const shownBy = [...JSON.stringify(tools).matchAll(/"See (\w+)\."/g)].map(([, name]) => name);
    expect(shownBy).to.include('get_order');
    expect(names(tools)).to.include.members(shownBy);
  });

  it('has no unions in inputs, because some clients refuse a whole list for one', async () => {
    const untyped = (schema: Schema, at: string): string[] => [
      ...(typeof schema.type === 'string' && !schema.anyOf ? [] : [at]),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
        untyped(field, `${at}.${name}`),
      ),
      ...(schema.items ? untyped(schema.items, `${at}[]`) : []),
    ];
    const found = (await list()).flatMap(({ name, inputSchema }) => untyped(inputSchema, name));
    expect(found).to.deep.equal([]);
    // The other forms are taken all the same.
    const params = { proxy_id: '2147483647' };
    const { body } = await platform.request('POST /api/v1/mcp/call', {
      key: agent.key,
      body: { tool: 'proxy_fetch_one', params },
    });
    expect(body.structuredContent.error).to.equal('not_found');
  });

  it('says of a tool that it destroys when it takes money or ends what cannot come back', async () => {
    const tools = await list();
    const destroys = tools.filter(({ annotations }) => annotations.destructiveHint);
    expect(names(destroys)).to.have.members([
      'purchase_product',
      'task_post',
      'task_approve',
      'task_cancel',
      'task_give_back', // the place of its worker
      'post_labor_task',
      'judge_labor_claim',
      'cancel_labor_task',
      'withdraw',
      'issue_asa',
      'claim_asa', // it leaves for good
      'mint_nft',
      'create_solana_collection',
      'proxy_list',
      'proxy_fetch_one',
      'validate_email',
      'decide_approval',
      'validate_emails',
      'validate_email_file',
      'delete_email_file',
      'get_vault_item', // the right to give the goods back unseen
      'access_dataset', // the same
      'rotate_dataset', // what it delivered before
      'confirm_order',
      'refund_order',
      'withdraw_dispute',
      'update_product',
      'rotate_proxy_key',
    ]);
    const takes = tools.filter(({ description }) =>
      /\btakes\b.*\bfrom the wallet/i.test(description),
    );
    expect(takes).to.have.length.above(3);
    expect(names(destroys)).to.include.members(names(takes));
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

  it('declares answers of jobs that wait, and refusals of all tools, in output schemas', async () => {
    const tools = await list('', agent.key);
    const purchase = tools.find(({ name }) => name === 'purchase_product')!;
    expect(purchase.outputSchema.anyOf).to.have.length(5);
    for (const status of ['pending', 'approval_required']) {
      expect(JSON.stringify(purchase.outputSchema)).to.contain(`{"status":{"const":"${status}"}`);
    }
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
