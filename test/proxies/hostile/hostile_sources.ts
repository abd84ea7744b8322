import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { exceptionOf } from '../../../shared/platform/egress/addresses.ts';
import { openEgress } from '../../../shared/platform/egress/egress.ts';
import { openSources } from '../../../workers/gateways/proxies/sources.ts';
import type { Goals } from '../../faults/stalls.ts';
import { quietNameServer } from '../../name_server.ts';

const MB = 2 ** 20;
/** Maximum size of a source. */
const BYTES = 63 * MB;
/** A source that is not ended sooner is shorter here, as it takes its time. */
const FEW = 4 * MB;
/** Size where nothing is measured: a source has 25 seconds, however slow the machine is. */
const LESS = 16 * MB;
/** Maximum stall of the event loop, beside the sources that are read in the same process. */
const STALL_MS_MAX = 100;
const HEAP_MB_MAX = 150;

/** Output of a source: a start, and a piece again and again. */
const SOURCES: Readonly<Record<string, readonly [start: string, piece: string, fault: RegExp]>> = {
  'empty objects': ['[', '{},', /more than \d+ entries/],
  numbers: ['[', '1,', /more than \d+ entries/],
  'objects within one': ['[{"a":[', '{},', /too large/],
  'lists within lists': ['', '[', /too large/],
  'one text': ['["', 'x', /not JSON/],
  'one number': ['[', '1', /not JSON/],
  'members of one object': ['{', '"a":1,', /too large/],
  'lists of nothing': ['{"a":', '[],"b":', /too large/],
  'blanks in JSON': ['[', ' ', /not JSON/],
  'blank lines': ['', '\n', /is empty/],
  comments: ['', '# no proxy\n', /is empty/],
  'one line': ['', 'x', /no list of proxies/],
  'a proxy again and again': ['', '8.8.8.8:1080\n', /more than \d+ entries/],
};

export const hostileSources = (goals: Goals) =>
  describe('a source of proxies beside hostile ones', function () {
    this.timeout(120_000);

    const servers: Server[] = [];
    const urls: string[] = [];

    async function serve(answer: (socket: Socket) => void): Promise<void> {
      const server = createServer((socket) => {
        socket
          .on('error', () => undefined)
          .once('data', () => {
            socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n');
            answer(socket);
          });
      });
      servers.push(server);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/list`);
    }

    before(async () => {
      await serve((socket) => void socket.end('8.8.8.8:1080\n9.9.9.9:1080\n'));
      for (const [start, piece, fault] of Object.values(SOURCES)) {
        const bytes = /empty|no list/.test(fault.source) ? FEW : goals.areMeasured ? BYTES : LESS;
        const pieces = Buffer.from(piece.repeat(Math.floor(65_536 / piece.length)));
        await serve((socket) => {
          socket.write(start);
          const more = () => {
            while (socket.writable && socket.bytesWritten < bytes && socket.write(pieces));
            if (socket.bytesWritten >= bytes) socket.end();
          };
          socket.on('drain', more);
          more();
        });
      }
    });
    after(() => servers.forEach((server) => server.close()));

    goals.it(`is read, while ${Object.keys(SOURCES).length} others send without end`, async () => {
      const settings = {
        sources: urls,
        egressAllow: [exceptionOf('127.0.0.0/8')],
        dnsServers: [(await quietNameServer()).address],
      };
      const list = openSources(settings, openEgress(settings));
      const loop = monitorEventLoopDelay({ resolution: 5 });
      const before = process.memoryUsage.rss() / MB;
      let most = before;
      const looks = setInterval(() => (most = Math.max(most, process.memoryUsage.rss() / MB)), 20);
      loop.enable();
      const from = performance.now();
      const [honest, ...others] = await list();
      const seconds = (performance.now() - from) / 1_000;
      loop.disable();
      clearInterval(looks);
      const stall = Math.round(loop.max / 1e6);
      const more = Math.round(most - before);
      if (goals.areMeasured) console.log(`      ${seconds.toFixed(1)} s, ${more} MB more memory`);
      expect(honest).to.have.nested.property('listing.entries.size', 2);
      for (const [n, [name, [, , fault]]] of Object.entries(SOURCES).entries()) {
        expect(others[n], name).to.have.property('fault').that.matches(fault);
      }
      expect(more).to.be.below(HEAP_MB_MAX);
      goals.expectGoal('the longest stall while hostile sources are read', stall, STALL_MS_MAX);
    });
  });
