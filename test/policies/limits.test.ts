import { Ajv } from 'ajv';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { callBy } from '../access/interfaces.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform, type Reply } from '../harness.ts';
import { stock } from '../proxies/stock.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('a policy', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const set = ({ key }: Agent, { id }: { id: number }, body: object) =>
    platform.request(`POST /agent/monitor/${id}/policy`, { key, body });

  const services = {
    purchase: { price: 0.11, type: 'serial_key' },
    proxies: { price: 0.01, type: 'proxy_service' },
    'an address': { price: 0.002, type: 'api_service' },
    'a batch of addresses': { price: 0.006, type: 'api_service' },
  } as const;
  type Service = keyof typeof services;
  let product: number;
  before(async () => {
    const seller = await platform.agent();
    const goods = { stock_kind: 'unlimited', content: 'It.', price: 0.1 };
    product = (await platform.product(seller, goods)).id;
    await stock(platform, { count: 10 });
  });

  const spend = (service: Service, { key }: Agent): Promise<Reply> => {
    const emails = ['a', 'b', 'c'].map((name) => `${name}@mail.example`);
    switch (service) {
      case 'purchase':
        return platform.request('POST /api/v1/orders', { key, body: { product_id: product } });
      case 'proxies':
        return platform.request('GET /api/v1/proxy/list?limit=10', { key });
      case 'an address':
        return platform.request(`GET /api/v1/email/validate/${emails[0]}`, { key });
      case 'a batch of addresses':
        return platform.request('POST /api/v1/email/validate', { key, body: { emails } });
    }
  };

  for (const [service, { price, type }] of Object.entries(services)) {
    it(`binds the agents below it, with the money as it was: ${service}`, async () => {
      const root = await platform.agent();
      const child = await childOf(platform, root);
      const below = Math.round((price - 0.000001) * 1e6) / 1e6;
      const other = type === 'proxy_service' ? 'api_service' : 'proxy_service';
      for (const [status, code, limits, trace] of [
        [402, 'tx_limit_exceeded', { max_spend_per_tx: below }, { limit: below, asked: price }],
        [402, 'daily_limit_exceeded', { daily_spend_limit: below }, { limit: below, used: 0 }],
        [403, 'product_type_not_allowed', { allowed_product_types: other }, { asked: type }],
      ] as const) {
        for (const limited of [root, child]) {
          await set(root, limited, limits);
          const refused = await spend(service as Service, child);
          expect([refused.status, refused.body.error]).to.deep.equal([status, code]);
          const { policy_trace } = refused.body.details;
          expect(policy_trace).to.deep.include({ ...trace, policy_of: limited.id });
          const [[field]] = Object.entries(limits) as [[string, unknown]];
          await set(root, limited, { [field]: null });
        }
      }
      expect(await platform.balance(root)).to.equal(0.5);
    });
  }

  it('is what a preview of a purchase says before', async () => {
    const root = await platform.agent();
    const child = await childOf(platform, root);
    const preview = async () => {
      const body = { product_id: product };
      return (await platform.request('POST /api/v1/orders/preview', { key: child.key, body })).body;
    };
    expect(await preview())
      .to.include({ affordable: true })
      .and.not.have.property('policy_trace');
    await set(root, child, { max_spend_per_tx: 0.1 });
    const { affordable, policy_trace } = await preview();
    const refused = await spend('purchase', child);
    expect(affordable).to.equal(false);
    expect(policy_trace).to.deep.equal(refused.body.details.policy_trace);
  });

  it('lifts limits by name, for clients that check what they send by the schema of the tool', async () => {
    const root = await platform.agent();
    const child = await childOf(platform, root);
    const limits = { max_spend_per_tx: 1, daily_spend_limit: 2, approval_threshold: 0.5 };
    await set(root, child, limits);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { body } = await platform.request('POST /api/v1/mcp', { key: root.key, body: message });
    const tool = body.result.tools.find(({ name }: { name: string }) => name === 'set_policy');
    const validate = new Ajv({ strict: false, multipleOfPrecision: 3 }).compile(tool.inputSchema);
    const input = { agent_id: child.id, lift: ['max_spend_per_tx', 'approval_threshold'] };
    expect(validate(input)).to.equal(true);
    const route = 'POST /agent/monitor/:agent_id/policy';
    const call = { tool: 'set_policy', route, input };
    await callBy(platform, 'MCP tools/call', call, `Bearer ${root.key}`);
    const left = { max_spend_per_tx: null, daily_spend_limit: 2, approval_threshold: null };
    const policyOf = async () => (await set(root, child, {})).body.policy;
    expect(await policyOf()).to.include(left);

    const both = await set(root, child, { daily_spend_limit: 3, lift: ['daily_spend_limit'] });
    expect([both.status, both.body.details.fields[0].pointer]).to.deep.equal([422, '/lift']);
    expect(await policyOf()).to.include(left);
  });
});
