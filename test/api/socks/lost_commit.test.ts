import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { closeContext, openContext } from '../../../shared/composition/open_context.ts';
import { chargeConnection, refundConnection } from '../../../shared/proxies/sale/connections.ts';
import { TestPlatform } from '../../harness.ts';

describe('a sale of the SOCKS5 server', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('whose COMMIT was done and not answered is found by the repeat, and refunded once', async () => {
    const lines = await startRelay(new URL(platform.config.databaseUrl));
    const config = { ...platform.config, databaseUrl: lines.url };
    const context = await openContext(config, { process: 'test', prefix: platform.prefix });
    const agent = await platform.agent();
    const caller = { agentId: agent.id, rootId: agent.id, keyId: 0, scopes: [] };
    const buyer = { caller, id: randomUUID() };

    lines.loseNext('commit');
    const charge = await chargeConnection(context, buyer);
    expect(lines.lost).to.equal(1);
    expect(await chargeConnection(context, buyer)).to.equal(charge);
    expect(await platform.balance(agent)).to.equal(0.499);

    lines.loseNext('commit');
    await refundConnection(context, buyer, charge);
    await refundConnection(context, buyer, charge);
    expect(lines.lost).to.equal(2);
    expect(await platform.balance(agent)).to.equal(0.5);
    await closeContext(context);
    lines.close();
  });
});

/** A relay to PostgreSQL. On demand it drops the answer to the next statement with a word. */
async function startRelay(postgres: URL) {
  let word: string | undefined;
  const server = createServer((socket) => {
    const there = connect({ host: postgres.hostname, port: Number(postgres.port) });
    let isLost = false;
    socket.on('error', () => there.destroy()).on('close', () => there.destroy());
    there.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('data', (data) => {
      if (word !== undefined && data.includes(word)) {
        isLost = true;
        word = undefined;
      }
      there.write(data);
    });
    there.on('data', (data) => {
      if (!isLost) return void socket.write(data);
      line.lost += 1;
      socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(postgres);
  url.port = String((server.address() as AddressInfo).port);
  const line = {
    url: url.href,
    lost: 0,
    loseNext: (next: string) => void (word = next),
    close: () => server.close(),
  };
  return line;
}
