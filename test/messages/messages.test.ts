import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { judge, labor, openPool, take, work } from '../labor/pool.ts';
import { act, expectRefusal, openDeal, OPERATOR_TOKEN, type Deal } from '../orders/deal.ts';
import { buy } from '../orders/trade.ts';
import { act as actOnTask, bidOn, done, hire, openJob } from '../tasks/board.ts';
import { GOODS, mailOf } from './mail.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('messages', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { send, read, textsOf } = mailOf(() => platform);

  it('go from a buyer to its seller and back, and say whether they were answered', async () => {
    const { buyer, seller, orderId: order_id } = await openDeal(platform);
    const sent = done(await send(buyer, { order_id }));
    expect(sent).to.deep.include({
      order_id,
      task_id: null,
      claim_id: null,
      from_agent_id: buyer.id,
      to_agent_id: seller.id,
    });
    const me = await platform.request('GET /api/v1/agent/me', { key: buyer.key });
    const { username } = me.body;
    const [received] = await read(seller, `?order_id=${order_id}`);
    expect(received).to.deep.equal({
      ...sent,
      from_username: username,
      sent_by: buyer.id,
      text: { untrusted: true, content: 'Is it for one computer?' },
      is_answered: false,
    });
    done(await send(seller, { order_id, text: ' For two.\u202e\n' }));
    expect(await textsOf(buyer)).to.deep.equal([' For two.\u202e\n', 'Is it for one computer?']);
    expect((await read(buyer)).map(({ is_answered }) => is_answered)).to.deep.equal([false, true]);
    const { body } = await platform.request('GET /api/v1/events?type=message.*', seller);
    expect(body.events).to.have.length(1);
    expect(body.events[0]).to.deep.include({
      type: 'message.received',
      agent_id: seller.id,
      object: { kind: 'message', id: sent.message_id, status: 'received' },
      data: { message_id: sent.message_id, from_agent_id: buyer.id, order_id },
    });
  });

  it('are read by nobody else, and written by nobody else', async () => {
    const { buyer, orderId: order_id } = await openDeal(platform);
    done(await send(buyer, { order_id }));
    const { buyer: outsider, orderId: other } = await openDeal(platform);
    expectRefusal(await send(outsider, { order_id }), 404, 'not_found');
    expectRefusal(await send(buyer, { order_id: other }), 404, 'not_found');
    for (const query of ['', `?order_id=${order_id}`]) {
      expect(await read(outsider, query)).to.deep.equal([]);
    }
    const wrong = await send(buyer, { order_id, to_agent_id: outsider.id });
    expectRefusal(wrong, 422, 'validation_error');
  });

  it('are sealed at rest, and their text is in no other row', async () => {
    const { buyer, orderId: order_id } = await openDeal(platform);
    const canary = `CANARY-${randomUUID()}`;
    const headers = { 'idempotency-key': randomUUID() };
    const first = done(await send(buyer, { order_id, text: canary }, headers));
    expect(done(await send(buyer, { order_id, text: canary }, headers))).to.deep.equal(first);
    expect(await textsOf(buyer, `?order_id=${order_id}`)).to.deep.equal([canary]);
    for (const table of ['message', 'job', 'event']) {
      const rows: { row: string }[] = await platform.query(`select t::text as row from ${table} t`);
      const hex = Buffer.from(canary).toString('hex');
      for (const { row } of rows) expect(row, table).not.to.match(new RegExp(`${canary}|${hex}`));
    }
    const move = 'update message set text = (select text from message where id = $1) where id = $2';
    const second = done(await send(buyer, { order_id }));
    await platform.query(move, [first.message_id, second.message_id]);
    expect((await platform.request('GET /api/v1/messages', buyer)).status).to.equal(500);
    await platform.query('delete from message where id = $1', [second.message_id]);
  });

  it('about a task are between its poster and each of its bidders', async () => {
    const { poster, worker, taskId: task_id } = await openJob(platform);
    const other = await platform.agent();
    expectRefusal(await send(worker, { task_id }), 403, 'forbidden');
    expectRefusal(await send(poster, { task_id }), 422, 'validation_error');
    expectRefusal(await send(poster, { task_id, to_agent_id: worker.id }), 422, 'validation_error');
    for (const { key } of [worker, other]) done(await bidOn(platform, { taskId: task_id, key }, 1));
    done(await send(worker, { task_id, text: 'I know eleven.' }));
    done(await send(other, { task_id, text: 'I know twelve.' }));
    done(await send(poster, { task_id, to_agent_id: worker.id, text: 'Ten will do.' }));
    const query = `?task_id=${task_id}`;
    expect(await textsOf(poster, query)).to.have.length(3);
    expect(await textsOf(worker, query)).to.deep.equal(['Ten will do.', 'I know eleven.']);
    expect(await textsOf(other, query)).to.deep.equal(['I know twelve.']);
    expect((await read(other)).map(({ is_answered }) => is_answered)).to.deep.equal([false]);
  });

  it('about a task with a worker are for that worker alone', async () => {
    const job = await openJob(platform);
    const { poster, worker, taskId: task_id } = job;
    const other = await platform.agent();
    done(await bidOn(platform, { taskId: task_id, key: other.key }, 1));
    done(await send(other, { task_id }));
    await hire(platform, job);
    expect(done(await send(poster, { task_id })).to_agent_id).to.equal(worker.id);
    expectRefusal(await send(other, { task_id }), 409, 'invalid_transition');
    const late = await send(poster, { task_id, to_agent_id: other.id });
    expectRefusal(late, 409, 'invalid_transition');
    done(await send(worker, { task_id }));
  });

  it('about a claim are between the poster of the labor and the worker of that claim', async () => {
    const { poster, taskId } = await openPool(platform);
    const [worker, other] = await Promise.all([platform.agent(), platform.agent()]);
    const { claim_id } = await take(platform, taskId, worker);
    const { claim_id: theirs } = await take(platform, taskId, other);
    expectRefusal(await send(other, { claim_id }), 404, 'not_found');
    expectRefusal(await send(worker, { claim_id, task_id: taskId }), 422, 'validation_error');
    const wrong = await send(poster, { claim_id, to_agent_id: other.id });
    expectRefusal(wrong, 422, 'validation_error');
    const sent = done(await send(worker, { claim_id, text: 'Is a lynx a cat?' }));
    expect(sent).to.include({ claim_id, task_id: null, to_agent_id: poster.id });
    done(await send(poster, { claim_id, text: 'It is.' }));
    done(await send(poster, { claim_id: theirs, text: 'Be quick.' }));
    const query = `?claim_id=${claim_id}`;
    expect(await textsOf(worker, query)).to.deep.equal(['It is.', 'Is a lynx a cat?']);
    expect(await textsOf(poster, query)).to.have.length(2);
    expect(await textsOf(other, query)).to.deep.equal([]);
    expect(await textsOf(other)).to.deep.equal(['Be quick.']);
    const [answer, asked] = await read(worker);
    expect([answer!.is_answered, asked!.is_answered]).to.deep.equal([false, true]);
    const { body } = await platform.request('GET /api/v1/events?type=message.*', worker);
    expect(body.events[0].data).to.include({ claim_id, from_agent_id: poster.id });
  });

  it('about a claim are shown to operators from an appeal to them on', async () => {
    const pool = await openPool(platform, { verification: 'manual' });
    const worker = await platform.agent();
    const { claim_id } = await work(platform, pool.taskId, worker);
    done(await send(worker, { claim_id }));
    const look = () =>
      platform.request(`GET /api/v1/admin/disputes/labor/${claim_id}/messages`, {
        key: OPERATOR_TOKEN,
      });
    done(await judge(platform, pool, claim_id, 'reject'));
    expectRefusal(await look(), 404, 'not_found');
    const of = { taskId: pool.taskId, key: worker.key };
    done(await labor(platform, 'appeal', of, { claim_id, reason: 'It is one.' }));
    expect(done(await look()).messages).to.have.length(1);
    const verdict = `POST /api/v1/admin/disputes/labor/${claim_id}/verdict`;
    const body = { verdict: 'accept', note: 'It is one.' };
    done(await platform.request(verdict, { key: OPERATOR_TOKEN, body }));
    expect(done(await look()).messages).to.have.length(1);
  });

  it('are written by an owner in the name of its agent, and read by it', async () => {
    const { seller, productId } = await openDeal(platform, GOODS);
    const owner = await platform.agent({ usd: 5 });
    const child = await childOf(platform, owner);
    const order_id = await buy(platform, child, { id: productId });
    expect(done(await send(owner, { order_id })).from_agent_id).to.equal(child.id);
    done(await send(seller, { order_id, text: 'For two.' }));
    expect(await read(owner)).to.deep.equal([]);
    expect(await textsOf(owner, `?order_id=${order_id}`)).to.deep.equal(await textsOf(child));
    const [, sent] = await read(child);
    expect(sent).to.include({ from_agent_id: child.id, sent_by: owner.id });
    expectRefusal(await send(await childOf(platform, seller), { order_id }), 404, 'not_found');
  });

  it('are shown to operators where there is a dispute, and nowhere else', async () => {
    const look = (kind: string, id: number) =>
      platform.request(`GET /api/v1/admin/disputes/${kind}/${id}/messages`, {
        key: OPERATOR_TOKEN,
      });
    const textsTo = async (kind: string, id: number) =>
      done(await look(kind, id)).messages.map(({ text }: { text: { content: string } }) => text);
    const { buyer, orderId: order_id }: Deal = await openDeal(platform);
    done(await send(buyer, { order_id }));
    expectRefusal(await look('order', order_id), 404, 'not_found');
    done(await act(platform, 'dispute_order', { orderId: order_id, key: buyer.key }));
    const shown = [{ untrusted: true, content: 'Is it for one computer?' }];
    expect(await textsTo('order', order_id)).to.deep.equal(shown);

    const job = await openJob(platform);
    const { poster, worker, taskId } = job;
    const other: Agent = await platform.agent();
    done(await bidOn(platform, { taskId, key: other.key }, 1));
    done(await send(other, { task_id: taskId, text: 'Choose me.' }));
    await hire(platform, job);
    done(await send(worker, { task_id: taskId }));
    done(await actOnTask(platform, 'submit', { taskId, key: worker.key }, { result: 'It.' }));
    done(await actOnTask(platform, 'reject', { taskId, key: poster.key }, { reason: 'No.' }));
    expectRefusal(await look('task', taskId), 404, 'not_found');
    done(await actOnTask(platform, 'dispute', { taskId, key: worker.key }, { reason: 'Yes.' }));
    expect(await textsTo('task', taskId)).to.deep.equal(shown);
  });
});
