import { expect } from 'chai';

import { eventually } from '../harness.ts';
import { ProxyRig } from './proxy_rig.ts';

describe('proxies that all fail at once', function () {
  this.timeout(60_000);

  let rig: ProxyRig;
  before(async () => {
    rig = await ProxyRig.open();
  });
  after(() => rig.close());

  it('counts no failure while our own network may be broken, and sells nothing meanwhile', async () => {
    const peers = await Promise.all(Array.from({ length: 21 }, () => rig.peer('working')));
    rig.list(peers.map(({ address }) => address));
    await rig.refresh();
    await rig.checked(...peers);
    // Drops everything like a firewall of ours: the judge is reached, no proxy is.
    for (const peer of peers) peer.become('dead');
    await rig.platform.query(`update proxy set next_check_at = now() - interval '1 hour'`);
    await rig.refresh();
    const [{ answer }] = await eventually(
      () =>
        rig.platform.query(
          `select answer from job where operation = 'check_proxies' and status = 'complete'
            order by id desc limit 1`,
        ),
      ([job]) => job?.answer.doubted === true,
    );
    expect(answer).to.deep.equal({ checked: 0, passed: 0, doubted: true });
    expect(new Set(await rig.states(...peers))).to.deep.equal(new Set(['degraded']));
    const counted = () =>
      rig.platform.query(
        'select distinct recent, checks, fails from proxy where ip_port = any ($1)',
        [peers.map(({ address }) => address)],
      );
    expect(await counted()).to.deep.equal([{ recent: 1, checks: 1, fails: 0 }]);
    // A proxy that works again is back at once, as good as before.
    const [back, ...others] = peers;
    back!.become('working');
    await rig.recheck([back!]);
    expect(await rig.states(back!)).to.deep.equal(['hot']);
    // And those that died together do not keep one another from dying.
    await rig.platform.query(
      `update proxy set state_since = now() - interval '1 hour' where state = 'degraded'`,
    );
    await rig.recheck(others);
    expect(new Set(await rig.states(...others))).to.deep.equal(new Set(['degraded']));
    await rig.recheck(others, 2);
    expect(new Set(await rig.states(...others))).to.deep.equal(new Set(['quarantined']));
  });
});
