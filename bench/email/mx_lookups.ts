import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';

import { hostPortOf } from '../../shared/platform/egress/addresses.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { serveLoops } from '../measure/loops.ts';

// The minimum of look-ups for validations of email addresses: each from a port of its own, and with
// an id that cannot be guessed (RFC 5452). Node's resolver is cheaper, because it asks from one
// port as long as it runs. But its answers can be forged, so it is no measure for a platform.
const server = hostPortOf(readConfig().dnsServers[0]!)!;
const HEADER = Buffer.from('00000100000100000000', 'hex');
const MX_IN = Buffer.from('07' + Buffer.from('example').toString('hex') + '00000f0001', 'hex');
let domains = 0;

serveLoops(() => {
  const name = Buffer.from(`n${(domains += 1)}`);
  const id = Buffer.alloc(2);
  id.writeUInt16BE(randomInt(0x1_0000));
  const query = Buffer.concat([id, HEADER, Buffer.from([name.length]), name, MX_IN]);
  const socket = createSocket('udp4');
  return new Promise<number>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (answer) => {
      if (!answer.subarray(0, 2).equals(id) || answer.readUInt16BE(6) === 0) return;
      socket.close();
      resolve(1);
    });
    socket.connect(server.port, server.host, () => socket.send(query));
  });
});
