// test:all: the own test of the drill.
import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Call } from './calls/call.ts';
import { openClient } from './calls/client.ts';
import { newHistory } from './calls/history.ts';
import { openTrader } from './clients/trader.ts';
import { randomOf } from './random.ts';

/** No tool, so that it is always called by REST. */
const OPERATION = 'create_key';
const agent = { id: 7, token: 'token' };

describe('a client of a drill', () => {
  /** Behaviour towards the next requests: each is answered, refused or disconnected. */
  let behaviour: (200 | 503 | 'disconnects')[] = [];
  const server = createServer((req, res) => {
    const now = behaviour.shift() ?? 200;
    if (now === 'disconnects') return void req.socket.destroy();
    const body = now === 200 ? { done: true } : { error: 'service_unavailable' };
    return void res
      .writeHead(now, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
  });
  const history = newHistory();
  function open() {
    const urls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`];
    const random = { ...randomOf(1), below: () => 1 }; // Each call is repeated at once.
    const deadline = new AbortController().signal;
    const client = openClient(agent, urls, { history, random, deadline });
    const wallet = { micros: 0, proxies: 0 };
    return openTrader({ agent, wallet }, { client, random, history });
  }
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** The keys that are forgotten after a call with this key. */
  async function forgottenAfter(key: string, next: typeof behaviour): Promise<string[]> {
    behaviour = next;
    const call: Call = { agent, operation: OPERATION, input: {}, key };
    let answered = 0;
    await open().perform(call, ({ status }) => void (answered += Number(status === 200)));
    expect(answered).to.equal(1);
    return history.ended.splice(0);
  }

  it('has a call forgotten whose one sending was answered', async () => {
    expect(await forgottenAfter('a', [200])).to.deep.equal(['7 a']);
  });

  it('keeps a call of which a sending may still arrive', async () => {
    expect(await forgottenAfter('b', ['disconnects', 200])).to.deep.equal([]);
    expect(await forgottenAfter('c', [503, 200])).to.deep.equal([]);
  });

  it('repeats nothing that spends without a key: both may be charged', async () => {
    const { client } = open();
    const call = { agent, operation: 'validate_email', input: { email: 'ada@example.com' } };
    const error = await client({ ...call, repeatable: true }).catch((one: unknown) => one);
    expect(String(error)).to.contain('without a key');
  });
});
