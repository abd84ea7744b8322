import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';

import { openJsonRpc } from '../../workers/gateways/rpc/json_rpc.ts';
import { faultOf } from './rounds.ts';

/** Answers for one path; without an end, nothing follows. */
const ANSWERS: Readonly<
  Record<string, (asked: { id: number }) => { text?: string; end: boolean }>
> = {
  '/silent': () => ({ end: false }),
  '/half': ({ id }) => ({ text: `{"id": ${id}, "result": "0x`, end: false }),
  '/other': ({ id }) => ({ text: JSON.stringify({ id: id + 1, result: '0x1' }), end: true }),
  '/long': () => ({ text: ' '.repeat(17 * 2 ** 20), end: false }),
  '/no_json': () => ({ text: 'Bad gateway', end: true }),
};

describe('a provider of a chain', () => {
  let server: Server;
  const ask = (path: string, ms?: number) => {
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}${path}?key=secret`;
    return openJsonRpc(url, { answerMsMax: ms }).ask('eth_chainId', []);
  };

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks = await request.toArray();
    const asked = JSON.parse(Buffer.concat(chunks).toString());
    const { text, end } = ANSWERS[request.url!.split('?')[0]!]!(asked);
    if (text !== undefined) response.write(text);
    if (end) response.end();
  }

  before(async () => {
    server = createServer((request, response) => void reply(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const [path, what, said] of [
    ['/silent', 'that answers nothing is asked no longer than it may take', 'does not answer'],
    ['/half', 'whose answer does not end is heard no longer than it may take', 'does not answer'],
  ] as const) {
    it(what, async () => {
      const found = await faultOf(ask(path, 100));
      expect(found).to.contain(said).and.to.not.contain('secret');
    });
  }

  it('is heard no further than its answer may be long, whatever it says of it', async () => {
    expect(await faultOf(ask('/long'))).to.contain('too long');
  });

  it('is not believed with the answer of another question, or one that is no JSON', async () => {
    expect(await faultOf(ask('/other'))).to.contain('no result');
    expect(await faultOf(ask('/no_json')))
      .to.contain('no JSON')
      .and.to.not.contain('secret');
  });
});
