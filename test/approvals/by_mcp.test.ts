import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { connectByMcp, type McpAgent } from '../api/mcp/mcp_agent.ts';

describe('an owner and its agent, by MCP', () => {
  let platform: TestPlatform;
  const clients: McpAgent[] = [];
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  async function connect(key?: string): Promise<McpAgent> {
    const client = await connectByMcp(platform.url, key);
    clients.push(client);
    return client;
  }

  it('buy what the owner has approved, as a new user would', async () => {
    const goods = { stock_kind: 'unlimited', content: 'The forecast.', price: 0.1 };
    const { id: product_id } = await platform.product(await platform.agent(), goods);

    const anybody = await connect();
    const account = { username: 'ada', email: 'ada@example.com', password: 'correct horse' };
    const { api_key: own } = await anybody.call('register_agent', account);
    const ada = await connect(own.key);
    const shopper = { name: 'shopper', permissions: ['read', 'buy'] };
    const { agent, api_key } = await ada.call('spawn_agent', shopper);
    const policy = { agent_id: agent.agent_id, approval_threshold: 0.05 };
    expect((await ada.call('set_policy', policy)).effective.approval_threshold).to.equal(0.05);

    const child = await connect(api_key.key);
    expect(child.names).not.to.include.members(['list_approvals', 'decide_approval']);
    expect(child.names).to.include.members(['get_job', 'list_events', 'cancel_approval']);
    const preview = await child.call('prepare_purchase_payload', { product_id });
    expect(preview).to.include({ affordable: true, needs_approval: true, total_due: 0.11 });
    const asked = await child.call('purchase_product', { product_id });
    expect(asked.status).to.equal('approval_required');
    const job = { job_id: asked.poll.split('/').pop() };
    const waiting = await child.call('get_job', job);
    expect(waiting).to.deep.include({ status: 'pending', approval: asked });

    const { approvals } = await ada.call('list_approvals', {});
    expect(approvals).to.have.length(1);
    expect(approvals[0]).to.deep.include({
      approval_id: asked.approval_id,
      username: 'ada/shopper',
      operation: 'purchase_product',
      product_id,
      amount: 0.11,
      available_actions: ['decide_approval'],
    });
    const type = 'approval.*';
    const before = await child.call('list_events', { type });
    const decision = { approval_id: asked.approval_id, decision: 'approve' };
    const [heard, decided] = await Promise.all([
      child.call('list_events', { type, cursor: before.next_cursor, wait: 20 }),
      ada.call('decide_approval', decision),
    ]);
    expect(decided).to.deep.include({ status: 'approved', ...job });
    expect(heard.events.map((event: { type: string }) => event.type)).to.deep.equal([
      'approval.approved',
    ]);
    const { result } = await child.call('get_job', { ...job, wait: 20 });
    expect(result).to.include({ status: 'escrow', product_id });
    const { order_id } = result;
    expect(JSON.stringify(await child.call('get_vault_item', { order_id }))).to.include('forecast');
    expect(await ada.call('get_wallet', {})).to.include({ balance: 0.39, in_escrow: 0.11 });
    expect((await ada.call('list_approvals', { status: 'approved' })).count).to.equal(1);
  });
});
