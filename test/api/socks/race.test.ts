import { expect } from 'chai';

import { Rig } from './rig.ts';
import { enter, request, type Talk } from './talk.ts';

describe('the SOCKS5 door', function () {
  this.timeout(60_000);

  let rig: Rig;
  before(async () => (rig = await Rig.open()));
  after(() => rig.close());

  it('sells exactly 50 of 100 connections that come at once with money for 50', async () => {
    const [door, agent] = await Promise.all([rig.door({ handshakeMs: 60_000 }), rig.agent()]);
    await Promise.all([rig.proxy('US'), rig.proxy('DE'), rig.proxy('JP')]);
    await rig.spend(agent, 450);
    // Who has to log in while all others buy may hear that it cannot be done now.
    const talks: Talk[] = [];
    while (talks.length < 100) talks.push((await enter(door, { key: agent.proxyKey })).talk);
    const wish = request('target.example', rig.plainPort);
    for (const talk of talks) talk.say(wish);
    const replies = await Promise.all(talks.map(async (talk) => (await talk.hear(10))[1]));
    expect(replies.filter((reply) => reply === 0)).to.have.length(50);
    expect(replies.filter((reply) => reply === 2)).to.have.length(50);
    for (const [n, talk] of talks.entries()) {
      if (replies[n] !== 0) continue;
      talk.say('ping');
      expect(String(await talk.hear(4))).to.equal('ping');
    }
    for (const talk of talks) talk.leave();
    expect(await rig.platform.balance(agent)).to.equal(0);
    expect(await rig.charges(agent)).to.equal(50);
  });
});
