import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { catalog } from '../../../shared/composition/catalog.ts';
import { TestPlatform } from '../../harness.ts';
import { meet } from '../../orders/trade.ts';

describe('a default that a repeat writes out or leaves out', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('is the same purchase, by REST and by MCP, and another quantity is not', async () => {
    const { buyer, product } = await meet(platform, { stock_kind: 'unlimited', content: 'It.' });
    const plain = { product_id: product.id };
    const written = { ...plain, quantity: 1 };
    const rest = (key: string, body: object) =>
      platform.request('POST /api/v1/orders', {
        key: buyer.key,
        headers: { 'idempotency-key': key },
        body,
      });
    const mcp = async (key: string, params: object) => {
      const body = { tool: 'purchase_product', params, idempotency_key: key };
      const reply = await platform.request('POST /api/v1/mcp/call', { key: buyer.key, body });
      return { status: reply.status, body: reply.body.structuredContent };
    };
    for (const [n, [first, second]] of [
      [plain, written],
      [written, plain],
    ].entries()) {
      const before = await platform.balance(buyer);
      const answer = await rest(`k${n}`, first!);
      expect(answer.status, answer.text).to.equal(200);
      for (const again of [await rest(`k${n}`, second!), await mcp(`k${n}`, second!)]) {
        expect(again.status).to.equal(200);
        expect(again.body.order_id).to.equal(answer.body.order_id);
      }
      for (const other of [await rest(`k${n}`, { ...plain, quantity: 2 })]) {
        expect([other.status, other.body.error]).to.deep.equal([422, 'idempotency_conflict']);
      }
      expect(before - (await platform.balance(buyer))).to.be.closeTo(1.1, 1e-9);
    }
  });

  it('is the same task, whichever of several are written out', async () => {
    const { key } = await platform.agent({ usd: 5 });
    const post = (more: object) =>
      platform.request('POST /api/v1/tasks', {
        key,
        headers: { 'idempotency-key': 'a-task' },
        body: { title: 'Name a sea', budget: 1, ...more },
      });
    const { body: first } = await post({ review_hours: 72 });
    for (const more of [{}, { category: 'general' }, { verification_type: 'manual' }]) {
      expect((await post(more)).body.task_id).to.equal(first.task_id);
    }
    for (const more of [{ review_hours: 71 }, { category: 'other' }]) {
      expect((await post(more)).body.error).to.equal('idempotency_conflict');
    }
  });

  it('is declared where a description names one', () => {
    const named = /\b(\w+) (?:\()?if absent/i;
    const missing = [...catalog.values()]
      .filter(({ mode, name }) => mode === 'job' && !name.startsWith('update_'))
      .flatMap(({ name, input, defaults = {} }) =>
        Object.entries(input.properties as Record<string, { description?: string }>)
          .filter(([, { description = '' }]) => named.test(description))
          .filter(([field]) => !(field in defaults))
          .map(([field]) => `${name}.${field}`),
      );
    // Their defaults depend on other fields, on the time, or are no value.
    expect(missing).to.deep.equal(DEPENDING);
  });
});

const DEPENDING = [
  'evm_verify.network',
  'task_post.due_at',
  'post_labor_task.overlap',
  'post_labor_task.max_overlap',
  'post_labor_task.similarity',
  'post_labor_task.min_accuracy',
  'post_labor_task.max_units_per_worker',
  'post_labor_task.due_at',
  'set_dataset_user.version',
];
