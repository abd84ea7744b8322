import { expect } from 'chai';

import { EXITS } from './peers.ts';
import { Yard } from './yard.ts';

describe('refresh_proxies', () => {
  let yard: Yard;
  before(async () => {
    yard = await Yard.open();
  });
  after(() => yard.close());

  it('puts on sale what works, with the country it leads out in, whatever its source says', async () => {
    const [us, de, liar] = await Promise.all([
      yard.peer('working', EXITS.US),
      yard.peer('working', EXITS.DE),
      yard.peer('working', EXITS.JP),
    ]);
    const csv = `ip,port,country\n127.0.0.1,${liar.place.split(':')[1]},FR\n`;
    yard.list([us.place, `socks5://${de.place}`], csv);
    const { status, body } = await yard.refresh();
    expect(status).to.equal(200);
    expect(body.sources.map(({ listed }: { listed: number }) => listed)).to.deep.equal([2, 1]);
    await yard.checked(us, de, liar);
    for (const [{ place }, country] of [
      [us, 'US'],
      [de, 'DE'],
      [liar, 'JP'],
    ] as const) {
      const row = await yard.row(place);
      expect([row.state, row.country_code], place).to.deep.equal(['hot', country]);
    }
  });
});
