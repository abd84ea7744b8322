import { expect } from 'chai';

import { catalog } from '../../shared/composition/catalog.ts';
import { inputVersion } from '../../shared/jobs/input_version.ts';
import { insertJobs, newJobId } from '../../shared/jobs/jobs.ts';
import type { Batch } from '../../shared/jobs/queue.ts';
import { operation, type AnyOperation } from '../../shared/kernel/operation.ts';
import { Input, Output, Text } from '../../shared/kernel/schema.ts';
import { runBatch } from '../../workers/run_batch.ts';
import { runJob } from '../../workers/run_job.ts';
import { TestPlatform } from '../harness.ts';

const refused: string[] = [];
const performed: object[] = [];
const frame = {
  title: 'A test',
  summary: 'A test.',
  access: 'any',
  mode: 'job',
  queue: 'money',
  refusals: ['validation_error'],
  input: Input({ label: Text(1, 5, 'A label.') }),
  output: Output({}),
  async handle(_tx: unknown, input: object) {
    performed.push(input);
    return {};
  },
  ends: { onRefuse: async (_tx: unknown, { code }: { code: string }) => void refused.push(code) },
} as const;

const called = operation({ ...frame, name: 'called', rest: 'POST /api/v1/called' });
const internal = operation({ ...frame, name: 'internal' });
const asksOutside = operation({
  ...frame,
  name: 'asks_outside',
  rest: 'POST /api/v1/asks',
  gather: async () => undefined,
});
const OPERATIONS: readonly AnyOperation[] = [called, internal, asksOutside];

describe('the recorded input of a job', () => {
  let platform: TestPlatform;
  const known = catalog as Map<string, AnyOperation>;
  before(async () => {
    for (const op of OPERATIONS) known.set(op.name, op);
    platform = await TestPlatform.open({ workers: false });
  });
  after(async () => {
    for (const op of OPERATIONS) known.delete(op.name);
    await platform.close();
  });
  beforeEach(() => {
    refused.length = 0;
    performed.length = 0;
  });

  /** A job that another version has recorded with this input, when a worker has run it. */
  async function ranWith(op: AnyOperation, input: object) {
    const { context } = platform;
    const id = newJobId(context.clock.now());
    const call = { agentId: 5, rootId: 5, input, hash: Buffer.alloc(32), requestId: 'test' };
    await insertJobs(context.database, [{ id, operation: op.name, key: `key-of-${id}`, ...call }]);
    await runJob(context, id);
    const [row] = await platform.query('select * from job where id = $1', [id]);
    return row;
  }

  it('that this version would not take is refused, with the field, and undoes what it held', async () => {
    for (const input of [{ label: 'longer' }, { label: 'ok', amount: 1 }, {}]) {
      refused.length = 0;
      const { status, http_status, answer } = await ranWith(called, input);
      expect([status, http_status, answer.error], JSON.stringify(input)).to.deep.equal([
        'failed',
        422,
        'validation_error',
      ]);
      expect(answer.message).to.include('Another version').and.include('Call again.');
      expect(answer.details.fields).to.have.length(1);
      expect(refused).to.deep.equal(['validation_error']);
    }
    expect(performed).to.deep.equal([]);
  });

  it('is performed if this version takes it, with its lines cleaned', async () => {
    expect((await ranWith(called, { label: 'ok' })).status).to.equal('complete');
    expect(performed).to.deep.equal([{ label: 'ok' }]);
  });

  it('is refused also where a statement performs many together, unless it was just taken', async () => {
    const { context } = platform;
    const [seller, buyer] = [await platform.agent(), await platform.agent({ usd: 50 })];
    const goods = { stock_kind: 'unlimited', content: 'All.' };
    const { id: product_id } = await platform.product(seller, { ...goods, price: 1 });
    const record = async (input: object) => {
      const id = newJobId(context.clock.now());
      const call = { agentId: buyer.id, rootId: buyer.id, input, hash: Buffer.alloc(32) };
      const job = { id, operation: 'purchase_product', ...call, requestId: 'test' };
      await insertJobs(context.database, [job]);
      return id;
    };
    const answersOf = async (inputs: object[], made: Pick<Batch, 'inputVersion'>) => {
      const ids = await Promise.all(inputs.map(record));
      const batch = { queue: 'money', operation: 'purchase_product', ids, ...made };
      const answers = new Map((await runBatch(context, batch)).map((one) => [one.id, one]));
      return ids.map((id) => answers.get(id)!);
    };
    const both = [{ product_id }, { product_id, coupon: 'HALF' }];
    for (const version of [undefined, 'of another version']) {
      const [bought, refused] = await answersOf(
        both,
        version === undefined ? {} : { inputVersion: version },
      );
      expect(bought!.httpStatus).to.equal(200);
      expect(refused!.httpStatus).to.equal(422);
      const { error, message, details } = JSON.parse(refused!.answer);
      expect(error).to.equal('validation_error');
      expect(message).to.include('Another version').and.include('Call again.');
      expect(details.fields).to.have.length(1);
      expect(JSON.stringify(details.fields)).to.include('coupon');
    }
    // A call that a process of this version has just taken is not read again.
    const made = { inputVersion: inputVersion(catalog.get('purchase_product')!) };
    const answers = await answersOf(both, made);
    expect(answers.map(({ httpStatus }) => httpStatus)).to.deep.equal([200, 200]);
    const [{ orders }] = await platform.query('select count(*)::int as orders from orders');
    expect(orders).to.equal(4);
  });

  it('is not judged where an outside system may know of it, nor where it is our own', async () => {
    for (const op of [internal, asksOutside]) {
      expect((await ranWith(op, { label: 'longer' })).status, op.name).to.equal('complete');
    }
    expect(performed).to.have.length(2);
  });
});
