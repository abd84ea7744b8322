import { randomUUID } from 'node:crypto';

import { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { Role, TaskState, type Message, type Part, type Task } from '@a2a-js/sdk';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { setPolicy } from '../policy.ts';
import { postRpc, rpcCall as call } from './rpc.ts';
import { bidOn, done, submit } from '../tasks/board.ts';

describe('the task board by A2A', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** The client of the SDK, which finds the interface by the agent card, with a key. */
  async function clientOf({ key }: { key: string }) {
    const withKey = (url: unknown, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${key}`);
      // The card names the address that callers use.
      const { publicUrl } = platform.context.config.api;
      return fetch((url as string).replace(publicUrl, platform.url), { ...init, headers });
    };
    const transports = [new JsonRpcTransportFactory({ fetchImpl: withKey as typeof fetch })];
    const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports });
    return new ClientFactory(options).createFromUrl(platform.url);
  }
  type A2aClient = Awaited<ReturnType<typeof clientOf>>;

  const none = { metadata: undefined, filename: '', mediaType: '' };
  const text = (value: string): Part => ({ content: { $case: 'text', value }, ...none });
  const data = (value: object): Part => ({ content: { $case: 'data', value }, ...none });
  const send = async (client: A2aClient, parts: Part[], taskId = '', messageId = randomUUID()) =>
    client.sendMessage({
      tenant: '',
      metadata: undefined,
      configuration: undefined,
      message: {
        messageId,
        taskId,
        contextId: '',
        role: Role.ROLE_USER,
        parts,
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
    }) as Promise<Task | Message>;
  const taskOf = (answer: Task | Message): Task => {
    expect(answer, JSON.stringify(answer)).to.have.property('status');
    return answer as Task;
  };
  const get = (client: A2aClient, id: string) => client.getTask({ tenant: '', id });
  const dataIn = ({ status }: Task) =>
    status!.message!.parts.flatMap(({ content }) =>
      content?.$case === 'data' ? [content.value] : [],
    )[0];
  const codeOf = (work: Promise<unknown>): Promise<number> =>
    work.then(
      () => 0,
      (error: { envelopeCode: number }) => error.envelopeCode,
    );
  const rpc = (key: string, body: object) => postRpc(platform, key, body);

  it('is told by the agent card, and has work done from the budget to the result', async () => {
    const [poster, worker] = [await platform.agent({ usd: 5 }), await platform.agent()];
    const client = await clientOf(poster);
    const posted = taskOf(
      await send(client, [text('Name a sea.\nAny will do.'), data({ budget: 1 })]),
    );
    expect(posted.status!.state).to.equal(TaskState.TASK_STATE_SUBMITTED);
    expect(posted.metadata).to.include({ title: 'Name a sea.', budget: 1 });
    expect(await platform.balance(poster)).to.equal(4.5);

    const taskId = Number(posted.id);
    const bid = done(await bidOn(platform, { taskId, ...worker }, 0.8));
    const offered = await get(client, posted.id);
    expect(offered.status!.state).to.equal(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(dataIn(offered).bids).to.have.length(1);
    expect(dataIn(offered).bids[0]).to.include({ bid_id: bid.bid_id, bid_amount: 0.8 });

    const accept = [data({ action: 'task_accept_bid', bid_id: bid.bid_id })];
    const hired = taskOf(await send(client, accept, posted.id));
    expect(hired.status!.state).to.equal(TaskState.TASK_STATE_WORKING);
    const asked = taskOf(await send(client, [text('Which language?')], posted.id));
    expect(asked.status!.state).to.equal(TaskState.TASK_STATE_WORKING);
    const messages = await platform.request(`GET /api/v1/messages?task_id=${taskId}`, worker);
    expect(done(messages).messages[0].text.content).to.equal('Which language?');

    done(await submit(platform, { taskId, ...worker }, 'The Aral Sea.'));
    const judged = await get(client, posted.id);
    expect(judged.status!.state).to.equal(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(judged.artifacts[0]!.parts[0]!.content).to.deep.equal({
      $case: 'text',
      value: 'The Aral Sea.',
    });
    expect(judged.artifacts[0]!.metadata).to.include({ untrusted: true });
    const paid = taskOf(await send(client, [data({ action: 'task_approve' })], posted.id));
    expect(paid.status!.state).to.equal(TaskState.TASK_STATE_COMPLETED);
    expect(paid.artifacts).to.have.length(1);
    expect(await platform.balance(worker)).to.equal(1.3);

    const listed = await client.listTasks({
      tenant: '',
      contextId: '',
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageToken: '',
      statusTimestampAfter: undefined,
    });
    expect(listed.tasks.map(({ id }) => id)).to.deep.equal([posted.id]);
  });

  it('posts one task for one message, however often it is sent', async () => {
    const poster = await platform.agent({ usd: 5 });
    const client = await clientOf(poster);
    const parts = [text('Count to ten.'), data({ budget: 1 })];
    const id = randomUUID();
    const sent = await Promise.all([1, 2, 3].map(() => send(client, parts, '', id)));
    expect(new Set(sent.map((one) => taskOf(one).id)).size).to.equal(1);
    expect(await platform.balance(poster)).to.equal(4.5);
  });

  it('acts on the task that a message names, and reads nothing else as an order', async () => {
    const poster = await platform.agent({ usd: 5 });
    const client = await clientOf(poster);
    const post = async () =>
      taskOf(await send(client, [text('Name a sea.'), data({ budget: 1 })])).id;
    const [one, other] = [await post(), await post()];
    const act = (fields: object, more = {}) =>
      rpc(
        poster.key,
        call('SendMessage', {
          message: {
            messageId: randomUUID(),
            role: 'ROLE_USER',
            taskId: one,
            parts: [{ data: fields }],
            ...more,
          },
        }),
      );
    const cancel = { action: 'task_cancel' };
    const crossed = await act({ ...cancel, task_id: Number(other) });
    expect(crossed.body.error.code).to.equal(-32602);
    const worded = { taskId: null, parts: [{ text: 'Hi' }], metadata: { budget: 1, lang: 'nl' } };
    const asked = await act({}, worded);
    expect(JSON.stringify(asked.body.result.message.parts)).to.include('budget');
    for (const id of [one, other]) {
      expect((await get(client, id)).status!.state).to.equal(TaskState.TASK_STATE_SUBMITTED);
    }
    expect(await platform.balance(poster)).to.equal(3.5);
    await act(cancel);
    expect(await platform.balance(poster)).to.equal(4.5);
  });

  it('lists by state and context, and everything to a client that gives neither', async () => {
    const poster = await platform.agent({ usd: 5 });
    const client = await clientOf(poster);
    const post = async () =>
      taskOf(await send(client, [text('Name a sea.'), data({ budget: 1 })])).id;
    const [open, cancelled] = [await post(), await post()];
    await client.cancelTask({ tenant: '', id: cancelled, metadata: undefined });
    const idsOf = async (params: object) => {
      const { body } = await rpc(poster.key, call('ListTasks', params));
      return body.result.tasks.map(({ id }: { id: string }) => id);
    };
    for (const status of [undefined, '', 0, 'TASK_STATE_UNSPECIFIED', 'UNRECOGNIZED']) {
      expect(await idsOf({ status }), String(status)).to.deep.equal([cancelled, open]);
    }
    expect(await idsOf({ status: 'TASK_STATE_CANCELED' })).to.deep.equal([cancelled]);
    expect(await idsOf({ contextId: open })).to.deep.equal([open]);
    expect(await idsOf({ contextId: 'nope' })).to.deep.equal([]);
    expect(await idsOf({ statusTimestampAfter: '9999-01-01T00:00:00Z' })).to.deep.equal([]);
  });

  it('asks for a budget, and takes nothing until it is told', async () => {
    const poster = await platform.agent({ usd: 5 });
    const answer = (await send(await clientOf(poster), [text('Name a sea.')])) as Message;
    expect(answer.role).to.equal(Role.ROLE_AGENT);
    expect(JSON.stringify(answer.parts)).to.include('budget');
    expect(await platform.balance(poster)).to.equal(5.5);
  });

  it('says that an owner must approve it first', async () => {
    const poster = await platform.agent({ usd: 5 });
    await setPolicy(platform, poster, { approval_threshold: 0 });
    const answer = (await send(await clientOf(poster), [
      text('Name a sea.'),
      data({ budget: 1 }),
    ])) as Message;
    expect(JSON.stringify(answer.parts)).to.include('approval_required');
    expect(await platform.balance(poster)).to.equal(5.5);
  });

  it('gives the budget back when a task is cancelled, once', async () => {
    const poster = await platform.agent({ usd: 5 });
    const client = await clientOf(poster);
    const { id } = taskOf(await send(client, [text('Name a sea.'), data({ budget: 1 })]));
    const cancel = () => client.cancelTask({ tenant: '', id, metadata: undefined });
    expect((await cancel()).status!.state).to.equal(TaskState.TASK_STATE_CANCELED);
    expect(await codeOf(cancel())).to.equal(-32002);
    expect(await platform.balance(poster)).to.equal(5.5);
  });

  it('shows a task to its poster alone', async () => {
    const [poster, other] = [await platform.agent({ usd: 5 }), await platform.agent({ usd: 5 })];
    const client = await clientOf(poster);
    const { id } = taskOf(await send(client, [text('Name a sea.'), data({ budget: 1 })]));
    const others = await clientOf(other);
    for (const work of [
      () => get(others, id),
      () => others.cancelTask({ tenant: '', id, metadata: undefined }),
      () => send(others, [text('Hello')], id),
      () => send(others, [data({ action: 'task_cancel' })], id),
      () => get(others, '1000000'),
    ]) {
      expect(await codeOf(work())).to.equal(-32001);
    }
    expect((await get(client, id)).status!.state).to.equal(TaskState.TASK_STATE_SUBMITTED);
  });
});
