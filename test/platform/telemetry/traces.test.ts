// test:all: programs are bundled and started, with a Redis of their own.
import { randomBytes, randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { buy } from '../../faults/market.ts';
import { eventually } from '../../harness.ts';
import { openTracedMarket, type TracedMarket } from './traced_market.ts';

const SERVER = 2;
const CLIENT = 3;
const CONSUMER = 5;

describe('traces', function () {
  this.timeout(120_000);

  let scene: TracedMarket;
  before(async () => {
    scene = await openTracedMarket();
  });
  afterEach(() => scene.endPrograms());
  after(() => scene.close());

  it('show a purchase as one, through both processes and their statements', async () => {
    const api = await scene.startApi();
    await scene.startWorker();
    expect((await buy(api, scene.market))!.status).to.equal(200);
    const [request] = await scene.untilNamed('POST /api/v1/orders');
    const [job] = await scene.untilNamed('process purchase_product');
    const [call] = scene.named('purchase_product');

    expect(request).to.include({ kind: SERVER, service: 'market-api', parentSpanId: '' });
    expect(request!.attributes).to.include({
      'http.request.method': 'POST',
      'http.route': '/api/v1/orders',
      'http.response.status_code': 200,
    });
    expect(call!.parentSpanId).to.equal(request!.spanId);
    expect(job).to.include({ kind: CONSUMER, service: 'market-worker' });
    expect(job!.parentSpanId).to.equal(call!.spanId);
    expect(job!.attributes['messaging.message.id']).to.equal(
      call!.attributes['messaging.message.id'],
    );
    const recording = scene
      .childrenOf(call!)
      .find(({ name }) => name.includes('record_traced_jobs'))!;
    const buying = scene.childrenOf(job!).find(({ name }) => name.includes('perform_purchases'))!;
    for (const statement of [recording, buying]) {
      expect(statement.kind).to.equal(CLIENT);
      expect(statement.attributes['db.query.text']).to.match(/\$1/);
    }
    const traceIds = [request, call, job, recording, buying].map((span) => span!.traceId);
    expect(new Set(traceIds).size).to.equal(1);
  });

  it('go on where a job is tried again after its worker was killed', async () => {
    const api = await scene.startApi();
    const armed = await scene.startWorker({ CRASH_AT: 'W0', WITHOUT_DISPATCHER: 'yes' });
    const bought = buy(api, scene.market);
    expect(await armed.ended).to.equal('SIGKILL');
    await scene.startWorker();
    expect((await bought)!.status).to.equal(200);
    const [job] = await scene.untilNamed('process purchase_product');
    const [call] = await scene.untilNamed('purchase_product');
    expect(job!.parentSpanId).to.equal(call!.spanId);
    expect(job!.traceId).to.equal(call!.traceId);
    expect(job!.attributes).to.have.property('market.job.attempts');
  });

  it('have the calls of gateways, and follow jobs that jobs start', async () => {
    const api = await scene.startApi();
    await scene.startWorker();
    const email = `someone@${randomUUID()}.example`;
    const reply = await fetch(`${api.url}/api/v1/email/validate/${email}?wait=25`, {
      headers: { authorization: `Bearer ${scene.market.buyer.key}` },
    });
    // No name server of the test knows a name, so the job ends in a refusal.
    expect((await reply.json()).error).to.equal('service_unavailable');
    const [job] = await scene.untilNamed('process validate_email');
    const asked = await eventually(
      async () => scene.childrenOf(job!).filter(({ name }) => name.startsWith('mail.')),
      (found) => found.length > 0,
    );
    expect(asked[0]).to.include({ kind: CLIENT, traceId: job!.traceId });
    expect(scene.collector().bodies.join('')).not.to.contain(email.split('@')[1]);
  });

  it('are those of callers by a traceparent that is well-formed, and new ones by any other', async () => {
    const api = await scene.startApi();
    const traceId = randomBytes(16).toString('hex');
    const spanId = randomBytes(8).toString('hex');
    const ask = (traceparent: string) =>
      fetch(`${api.url}/api/v1/categories`, { headers: { traceparent } });
    const hostile = [
      `00-${traceId}-${spanId}-01-more`,
      `ff-${traceId}-${spanId}-01`,
      `00-${traceId.toUpperCase().replace(/^./, 'A')}-${spanId}-01`,
      `00-${'0'.repeat(32)}-${spanId}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
      `00-${traceId}-${spanId}-0${'1'.repeat(4_000)}`,
      "00-'; drop table job; --",
    ];
    for (const header of hostile) expect((await ask(header)).status).to.be.lessThan(500);
    const before = await eventually(
      async () => scene.collector().spans.filter(({ kind }) => kind === SERVER),
      (found) => found.length === hostile.length,
    );
    expect(before.filter((span) => span.parentSpanId !== '')).to.deep.equal([]);
    expect(scene.collector().bodies.join('')).not.to.contain(traceId);

    await ask(`00-${traceId}-${spanId}-00`); // Its caller does not want it exported.
    await ask(`00-${traceId}-${spanId}-01`);
    const after = await eventually(
      async () => scene.collector().spans.filter((span) => span.traceId === traceId),
      (found) => found.length > 0,
    );
    const roots = after.filter(({ kind }) => kind === SERVER);
    expect(roots.map(({ parentSpanId }) => parentSpanId)).to.deep.equal([spanId]);
  });
});
