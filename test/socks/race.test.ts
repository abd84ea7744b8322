import { expect } from 'chai';

import { Rig } from './rig.ts';
import { ask } from './talk.ts';

describe('the SOCKS5 door', function () {
  this.timeout(60_000);

  let rig: Rig;
  before(async () => (rig = await Rig.open()));
  after(() => rig.close());

  it('sells exactly 50 of 100 connections that come at once with money for 50', async () => {
    const [door, agent] = await Promise.all([rig.door(), rig.agent()]);
    await Promise.all([rig.proxy('US'), rig.proxy('DE'), rig.proxy('JP')]);
    const wanted = { key: agent.proxyKey, port: rig.plainPort };
    await rig.spend(agent, 450);
    const told = await Promise.all(Array.from({ length: 100 }, () => ask(door, wanted)));
    const replies = told.map(({ reply }) => reply);
    expect(replies.filter((reply) => reply === 0)).to.have.length(50);
    expect(replies.filter((reply) => reply === 2)).to.have.length(50);
    for (const { reply, talk } of told) {
      if (reply !== 0) continue;
      talk.say('ping');
      expect(String(await talk.hear(4))).to.equal('ping');
    }
    for (const { talk } of told) talk.leave();
    expect(await rig.house.balance(agent)).to.equal(0);
    expect(await rig.charges(agent)).to.equal(50);
  });
});
