import { expect } from 'chai';

import { allowedTarget } from '../../../api/socks/targets.ts';

describe('a target of the SOCKS5 server', () => {
  const allowed = (host: string) => allowedTarget({ host, port: 443 })?.host;

  it('may be any name that DNS may have, and a public address', () => {
    for (const host of ['my_app.example.com', '_dmarc.example.com', 'example.com', '8.8.8.8']) {
      expect(allowed(host)).to.equal(host);
    }
  });

  it('is no address that only a name server may give, and no internal name with `_`', () => {
    for (const host of ['64:ff9b::8.8.8.8', '64:ff9b::7f00:1', 'my_app', '_nas.local', 'a_b.lan']) {
      expect(allowed(host), host).to.equal(undefined);
    }
  });
});
