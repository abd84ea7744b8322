import { createSocket } from 'node:dgram';

// A name server that answers one mail server and one public address for every name, fast enough not
// to be the bottleneck, and nothing for names that end in `silent`.
const SILENT = Buffer.from('\u0006silent\u0000');
const FLAGS = 0x8180; // an answer, recursion desired and available
const NAME = Buffer.from('\u0002mx\u0007example\u0003com\u0000');
const RECORD = Buffer.concat([
  Buffer.from('c00c' + '000f' + '0001' + '0000003c' + '0000' + '000a', 'hex'), // MX, a minute, 10
  NAME,
]);
RECORD.writeUInt16BE(2 + NAME.length, 10);
const ADDRESS = Buffer.from('c00c' + '0001' + '0001' + '0000003c' + '0004' + 'c6290004', 'hex');
const A = 1;
const MX = 15;

const socket = createSocket('udp4');
socket.on('message', (query, from) => {
  if (query.includes(SILENT)) return;
  let end = 12;
  while (query[end]) end += query[end]! + 1;
  const type = query.readUInt16BE(end + 1);
  const records = type === MX ? [RECORD] : type === A ? [ADDRESS] : [];
  const answer = Buffer.concat([query.subarray(0, end + 5), ...records]);
  answer.writeUInt16BE(FLAGS, 2);
  answer.writeUInt16BE(1, 4); // one question
  answer.writeUInt16BE(records.length, 6);
  answer.writeUInt32BE(0, 8);
  socket.send(answer, from.port, from.address);
});
socket.bind(0, '127.0.0.1', () => process.send!({ port: socket.address().port }));
