import { Agent, get, type IncomingMessage } from 'node:http';
import { expect } from 'chai';

import { eventually, TestPlatform } from '../../harness.ts';
import { launch, MASTER_KEYS, urlOf, type ApiProcess } from '../api_process.ts';

/** Longer than this test: it ends the process by a second signal. */
const LONG = { STOP_MS: '600000', DRAIN_MS: '597000' };

describe('an API process that is told to end', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let api: ApiProcess;
  let url: string;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  before(async () => {
    platform = await TestPlatform.open({ env: { MASTER_KEYS }, workers: false });
    api = launch(platform, LONG);
    url = await urlOf(api);
  });
  after(async () => {
    api.child.kill('SIGKILL');
    agent.destroy();
    await platform.close();
  });

  /** The answer, and whether its connection was used before. */
  const call = (path: string, by: Agent | false) =>
    new Promise<{ status: number; connection: string; isKept: boolean; text: string }>(
      (resolve, reject) => {
        const request = get(url + path, { agent: by }, (answer: IncomingMessage) => {
          let text = '';
          answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
          answer.once('end', () =>
            resolve({
              status: answer.statusCode!,
              connection: answer.headers.connection!,
              isKept: request.reusedSocket,
              text,
            }),
          );
        });
        request.once('error', reject);
      },
    );

  it('says so at once, and serves what still comes, by old and by new connections', async () => {
    const kept = await call('/llms.txt', agent);
    expect([kept.status, kept.connection]).to.deep.equal([200, 'keep-alive']);

    api.child.kill('SIGTERM');
    const leaving = await eventually(
      () => call('/readyz', false),
      ({ text }) => JSON.parse(text).status === 'draining',
    );
    expect(leaving.status).to.equal(503);

    const last = await call('/llms.txt', agent);
    expect(last).to.include({ status: 200, connection: 'close', isKept: true });
    const next = await call('/llms.txt', agent);
    expect(next).to.include({ status: 200, connection: 'close', isKept: false });
    api.child.kill('SIGTERM');
    expect(await api.exit).to.deep.equal([1, null]);
  });
});
