import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';

import { countedClient } from '../../../workers/gateways/algorand/counted_client.ts';

describe('requests to a node of Algorand', () => {
  const servers: Server[] = [];
  const serve = async (handle: RequestListener): Promise<string> => {
    const server = createServer(handle);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  after(() => {
    for (const server of servers) server.close();
  });

  it('do not follow it elsewhere with their token, and are counted', async () => {
    const seen: unknown[] = [];
    const other = await serve(({ headers }, response) => {
      seen.push(headers['x-algo-api-token']);
      response.end('{}');
    });
    const node = await serve((request, response) => {
      if (request.url !== '/v2/status') return response.writeHead(302, { location: other }).end();
      seen.push('status');
      return response.end('{"last-round":7}');
    });
    let calls = 0;
    const count = (more: { calls?: number }) => void (calls += more.calls ?? 0);
    const client = countedClient(node, { 'X-Algo-API-Token': 'secret' }, { count });
    const { body } = await client.get('/v2/status');
    expect(JSON.parse(Buffer.from(body).toString())).to.deep.equal({ 'last-round': 7 });
    const moved = await client.get('/v2/moved').catch((error: unknown) => error);
    expect(moved).to.be.an.instanceof(Error);
    expect([seen, calls]).to.deep.equal([['status'], 2]);
  });
});
