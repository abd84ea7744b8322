import { expect } from 'chai';

import type { SocksServer } from '../../../api/socks/server.ts';
import { eventually } from '../../harness.ts';
import { Rig } from './rig.ts';
import { ask, GREETING, login, request, Talk } from './talk.ts';

describe('the SOCKS5 door', function () {
  this.timeout(60_000);

  let rig: Rig;
  let door: SocksServer;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  before(async () => {
    rig = await Rig.open();
    door = await rig.door();
    agent = await rig.agent();
    await rig.proxy('US');
  });
  after(() => rig.close());

  it('sends away whoever comes without a login, or speaks something else', async () => {
    for (const [said, heard] of [
      ['050100', '05ff'],
      ['0500', '05ff'],
      ['0503000103', '05ff'],
      ['040100500101010100', ''], // SOCKS4
      ['474554202f20485454502f312e310d0a', ''], // HTTP
      ['160301020001', ''], // TLS
      ['0501020901410142', '0502'], // A login of another version.
    ] as const) {
      const talk = await Talk.with(door.port);
      talk.say(Buffer.from(said, 'hex'));
      expect((await talk.rest()).toString('hex'), said).to.equal(heard);
      talk.leave();
    }
  });

  it('sends away who takes too long for what has to be said first', async () => {
    const hasty = await rig.door({ handshakeMs: 4_000 });
    const name = login('agent', agent.proxyKey);
    const all = Buffer.concat([GREETING, name, request('target.example', rig.webPort)]);
    const drip = await Talk.with(hasty.port);
    drip.say(GREETING);
    let at = GREETING.length;
    const dripping = setInterval(() => drip.say(all[at++]!), 500);
    const heard = await Promise.all(
      [0, 2, GREETING.length, GREETING.length + 20, GREETING.length + name.length, -1].map(
        async (bytes) => {
          const talk = await Talk.with(hasty.port);
          talk.say(all.subarray(0, bytes));
          return (await talk.rest()).length;
        },
      ),
    );
    expect(heard).to.deep.equal([0, 0, 2, 2, 4, 4]);
    expect(await drip.rest()).to.have.length(2);
    clearInterval(dripping);
  });

  it('sends away the oldest of many who do not say who they are, and nobody else', async () => {
    const patient = await rig.door({ handshakeMs: 60_000 });
    const many = Array.from({ length: 520 }, () => Talk.with(patient.port));
    const strangers = await Promise.all(many);
    const told = await ask(patient, { key: agent.proxyKey, port: rig.webPort });
    expect(told.reply).to.equal(0);
    let left = 0;
    for (const { over } of strangers) void over.then(() => (left += 1));
    await eventually(
      async () => left,
      (count) => count >= 8,
    );
    expect(left).to.be.lessThan(20);
    for (const talk of [...strangers, told.talk]) talk.leave();
  });
});
