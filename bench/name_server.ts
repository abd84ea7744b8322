import { createSocket } from 'node:dgram';

// A name server that gives every name one mail server: quick enough not to be what is measured.
const FLAGS = 0x8180; // an answer, recursion desired and available
const RECORD = Buffer.from([
  ...[0xc0, 12], // the name that was asked for
  ...[0, 15, 0, 1, 0, 0, 0, 60], // MX, IN, a minute
  ...[0, 16, 0, 10, 2, ...Buffer.from('mx'), 7, ...Buffer.from('example'), 3],
  ...[...Buffer.from('com'), 0],
]);
RECORD.writeUInt16BE(RECORD.length - 12, 10);

const socket = createSocket('udp4');
socket.on('message', (query, from) => {
  let end = 12;
  while (query[end]) end += query[end]! + 1;
  const answer = Buffer.concat([query.subarray(0, end + 5), RECORD]);
  answer.writeUInt16BE(FLAGS, 2);
  answer.writeUInt32BE(0x0001_0001, 4); // one question, one answer
  answer.writeUInt32BE(0, 8);
  socket.send(answer, from.port, from.address);
});
socket.bind(0, '127.0.0.1', () => process.send!({ port: socket.address().port }));
