import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { postRpc, rpcCall as call } from './rpc.ts';

describe('A2A refuses, with the money unchanged,', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());
  const rpc = (key: string | undefined, body: unknown, headers = {}) =>
    postRpc(platform, key, body, headers);

  const MESSAGE = { messageId: 'm', role: 'ROLE_USER' };
  const message = (fields: object) => call('SendMessage', { message: { ...MESSAGE, ...fields } });
  const withBudget = (budget: unknown, more = {}) =>
    message({ parts: [{ text: 'Name a sea.' }, { data: { budget, ...more } }] });

  for (const [what, body, code, headers] of [
    ['a budget of nothing', withBudget(0), -32602],
    ['a budget in words', withBudget('one dollar'), -32602],
    ['a budget beyond the wallet', withBudget(100), -32000],
    ['an unknown field', withBudget(1, { reward: 5 }), -32602],
    ['a message of nothing', message({ parts: [] }), -32602],
    ['a file', message({ parts: [{ raw: 'AAAA' }] }), -32602],
    ['no id of a message', message({ messageId: '', parts: [{ text: 'Hi' }] }), -32602],
    ['a context of its own', message({ contextId: 'c', parts: [{ text: 'Hi' }] }), -32602],
    ['a number that is no id', call('GetTask', { id: '../1' }), -32602],
    ['an id that is a number', call('GetTask', { id: 1 }), -32602],
    ['a stream', call('SendStreamingMessage', {}), -32004],
    ['a push address', call('CreateTaskPushNotificationConfig', {}), -32003],
    ['a method of before', call('message/send', {}), -32601],
    ['a method of objects', call('constructor', {}), -32601],
    ['a message of an agent', message({ role: 'ROLE_AGENT', parts: [{ text: 'Hi' }] }), -32602],
    [
      'two budgets',
      message({ parts: [{ data: { budget: 1 } }, { data: { budget: 2 } }, { text: 'Hi' }] }),
      -32602,
    ],
    ['a part of two kinds', message({ parts: [{ text: 'Hi', data: { budget: 1 } }] }), -32602],
    [
      'a push address beside a message',
      call('SendMessage', {
        message: { ...MESSAGE, parts: [{ text: 'Hi' }, { data: { budget: 1 } }] },
        configuration: { taskPushNotificationConfig: { url: 'https://example.com' } },
      }),
      -32003,
    ],
    ['a state that there is none of', call('ListTasks', { status: 'x' }), -32602],
    ['a time that is none', call('ListTasks', { statusTimestampAfter: 'x' }), -32602],
    ['a batch', [call('ListTasks', {})], -32600],
    ['no id', { jsonrpc: '2.0', method: 'ListTasks' }, -32600],
    ['another version', call('ListTasks', {}), -32009, { 'a2a-version': '0.3' }],
    ['a page of nothing', call('ListTasks', { pageSize: -1 }), -32602],
    ['a cursor of its own', call('ListTasks', { pageToken: 'x' }), -32602],
  ] as const) {
    it(what, async () => {
      const poster = await platform.agent({ usd: 5 });
      const { status, body: answer } = await rpc(poster.key, body, headers ?? {});
      expect([status, answer.jsonrpc, answer.error?.code]).to.deep.equal([200, '2.0', code]);
      expect(answer.error.message).to.be.a('string').with.length.greaterThan(10);
      expect(await platform.balance(poster)).to.equal(5.5);
    });
  }

  it('who has no key, or a wrong one', async () => {
    for (const key of [undefined, 'vnx_wrong']) {
      const { status, body } = await rpc(key, withBudget(1));
      expect([status, body.success]).to.deep.equal([401, false]);
    }
  });

  it('a key that may not buy', async () => {
    const poster = await platform.agent({ usd: 5 });
    const key = await platform.keyOf(poster, ['read']);
    const { body } = await rpc(key, withBudget(1));
    expect(body.error.data[0].reason).to.equal('INSUFFICIENT_SCOPE');
  });
});
