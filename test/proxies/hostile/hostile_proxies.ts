import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { exceptionOf } from '../../../shared/platform/egress/addresses.ts';
import { openChecks } from '../../../workers/gateways/proxies/checks.ts';
import type { Goals } from '../../faults/stalls.ts';
import { HOSTILE_ANSWERS, sendWithoutEnd } from '../../platform/egress/hostile_answers.ts';
import { startPeer, type Peer } from '../peers.ts';
import { readSocksRequest } from '../socks_peer.ts';
import { patience } from '../../platform/pace.ts';

const CHECK_MS = 4_000;
/** Maximum time of a batch in which some never answer. */
const BATCH_MS_MAX = CHECK_MS + 4_000;
const EACH = 8;
/** Maximum stall of the event loop in which the hostile proxies send as well. */
const STALL_MS_MAX = 100;

/** A proxy's way with a client. */
type Character = (socket: Socket) => void | Promise<void>;

/** It agrees to connect, and then does this in the judge's place. */
const connecting =
  (answer: (socket: Socket) => void): Character =>
  async (socket) => {
    (await readSocksRequest(socket))!.answer(0);
    await once(socket, 'data');
    answer(socket);
  };

const CHARACTERS: Readonly<Record<string, Character>> = {
  disconnects: (socket) => void socket.destroy(),
  resets: (socket) => void socket.resetAndDestroy(),
  'never says a word': (socket) => void socket.resume(),
  'begins the greeting and stops': (socket) => void socket.write(Buffer.from([5])),
  'greets in another protocol': (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  'greets without end': (socket) => sendWithoutEnd(socket, Buffer.alloc(65_536, 5)),
  'wants a password': async (socket) => void (await readSocksRequest(socket, { login: 'a:b' })),
  'refuses to connect': async (socket) => (await readSocksRequest(socket))!.answer(5),
  ...Object.fromEntries(
    Object.entries(HOSTILE_ANSWERS).map(([name, answer]) => [
      `connects and ${name}`,
      connecting(answer),
    ]),
  ),
};

export const hostileProxies = (goals: Goals) =>
  describe('proxies that are checked beside hostile ones', function () {
    this.timeout(30_000);

    const servers: Server[] = [];
    const clients = new Set<Socket>();
    const addresses: Record<string, string> = {};
    let honest: Peer;
    let judge: string;

    const listen = async (server: Server) => {
      servers.push(server);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    };

    before(async () => {
      const answer = JSON.stringify({ address: '8.8.8.8', proof: 'proof' });
      judge = `http://${await listen(createServer((_req, res) => res.end(answer)))}/judge`;
      honest = await startPeer('working');
      for (const [name, behave] of Object.entries(CHARACTERS)) {
        const server = createTcp((socket) => {
          clients.add(
            socket.on('error', () => undefined).on('close', () => clients.delete(socket)),
          );
          void (async () => behave(socket))().catch(() => socket.destroy());
        });
        addresses[name] = await listen(server);
      }
    });
    after(async () => {
      for (const socket of clients) socket.destroy();
      for (const server of servers) server.close();
      await honest.close();
    });

    const check = (proxies: readonly string[]) =>
      openChecks({
        judges: [judge],
        pages: [],
        egressAllow: [exceptionOf('127.0.0.0/8')],
        countryDatabase: undefined,
        checkMs: patience(CHECK_MS),
      })(proxies);

    it(`pass beside each of ${Object.keys(CHARACTERS).length}`, async () => {
      const from = performance.now();
      const ended = Object.entries(addresses).map(async ([name, address]) => {
        const results = await check([address, honest.address]);
        return [name, ...results!.map(({ answered }) => answered)];
      });
      const expected = Object.keys(addresses).map((name) => [name, false, true]);
      expect(await Promise.all(ended)).to.deep.equal(expected);
      goals.expectGoal('the last of these batches', performance.now() - from, BATCH_MS_MAX);
    });

    goals.it(`pass beside all of them ${EACH} times`, async () => {
      const hostile = Array.from({ length: EACH }, () => Object.values(addresses)).flat();
      const loop = monitorEventLoopDelay({ resolution: 10 });
      loop.enable();
      const from = performance.now();
      const results = await check([...hostile, honest.address]);
      const ms = Math.round(performance.now() - from);
      loop.disable();
      const stall = Math.round(loop.max / 1e6);
      const what = `the longest stall while ${hostile.length} hostile proxies are checked`;
      expect(results!.filter(({ answered }) => answered)).to.have.length(1);
      expect(results!.at(-1)).to.include({ answered: true });
      goals.expectGoal('a batch beside hostile proxies', ms, BATCH_MS_MAX);
      goals.expectGoal(what, stall, STALL_MS_MAX);
    });
  });
