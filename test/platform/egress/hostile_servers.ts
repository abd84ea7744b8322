import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { exceptionOf } from '../../../shared/platform/egress/addresses.ts';
import { openEgress } from '../../../shared/platform/egress/egress.ts';
import type { Goals } from '../../faults/stalls.ts';
import { quietNameServer } from '../../name_server.ts';
import { HOSTILE_ANSWERS } from './hostile_answers.ts';

const LIMITS = { timeoutMs: 1_500, bytesMax: 100_000 };
const ENDS_MS_MAX = 3_000;

export const hostileServers = (goals: Goals) =>
  describe('a request through egress', function () {
    this.timeout(20_000);

    const servers: Server[] = [];
    const clients = new Set<Socket>();
    const urls: Record<string, string> = {};

    before(async () => {
      for (const [name, answer] of Object.entries(HOSTILE_ANSWERS)) {
        const server = createServer((socket) => {
          clients.add(
            socket.on('error', () => undefined).on('close', () => clients.delete(socket)),
          );
          socket.once('data', () => answer(socket));
        });
        servers.push(server);
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
        urls[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      }
    });
    after(() => {
      for (const socket of clients) socket.destroy();
      for (const server of servers) server.close();
    });

    for (const [how, more] of [
      ['of a connection of its own', {}],
      ['of a connection that may be kept', { keptFor: 'a test' }],
    ] as const) {
      it(`${how} ends, whatever is answered`, async () => {
        const egress = openEgress({
          egressAllow: [exceptionOf('127.0.0.0/8')],
          dnsServers: [(await quietNameServer()).address],
        });
        const from = performance.now();
        const asked = Object.entries(urls).map(async ([name, url]) => {
          const ended = await egress
            .request(url, { ...LIMITS, ...more })
            .catch((error: unknown) => error);
          return [name, ended instanceof Error];
        });
        const expected = Object.keys(urls).map((name) => [name, true]);
        expect(await Promise.all(asked)).to.deep.equal(expected);
        goals.expectGoal(`the last request ${how}`, performance.now() - from, ENDS_MS_MAX);
      });
    }
  });
