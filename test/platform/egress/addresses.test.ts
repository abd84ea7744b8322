import { expect } from 'chai';

import {
  blockOf,
  exceptionOf,
  hostPortOf,
  isOpen,
  isOpenInDns,
  kindOf,
  spelled,
} from '../../../shared/platform/egress/addresses.ts';

describe('addresses', () => {
  for (const [kind, ...addresses] of [
    ['public', '8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001::1'],
    ['loopback', '127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ['linkLocal', '169.254.169.254', '169.254.0.1', 'fe80::1', 'febf::1'],
    ['carrierGradeNat', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
    ['unspecified', '0.0.0.0', '0.1.2.3', '::'],
    ['broadcast', '255.255.255.255'],
    ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1'],
    ['reserved', '192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.9'],
    ['reserved', '240.0.0.1', '192.88.99.1', '2001:db8::1', '3fff::1', '2001:1::1'],
    ['uniqueLocal', 'fc00::1', 'fd00:ec2::254', 'fdff::1'],
    ['ipv4Mapped', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1'],
    ['rfc6052', '64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
    ['6to4', '2002:7f00:1::', '2002:808:808::1'],
    ['teredo', '2001::1', '2001:0:7f00:1::'],
    ['isatap', '2a00:1450::5efe:127.0.0.1', '2a00:1450::200:5efe:a00:1'],
    ['rfc6145', '::ffff:0:127.0.0.1'],
    ['deprecatedSiteLocal', 'fec0::1'],
    ['discard', '100::1'],
    ['segmentRouting', '5f00::1'],
    ['unassigned', '::7f00:1', '::808:808', '4000::1', '1::1'],
    ['metadata', '168.63.129.16'],
  ] as const) {
    it(`knows ${addresses.join(', ')} as ${kind}`, () => {
      for (const address of addresses) expect(kindOf(address), address).to.equal(kind);
    });
  }

  it('reads nothing as an address that is not written as one', () => {
    for (const text of ODD) {
      expect(kindOf(text), text).to.equal(undefined);
      expect(isOpen({ host: text, port: 80 }, [exceptionOf('0.0.0.0/0')]), text).to.equal(false);
    }
  });

  it('reads a host and its port, and gives both their one spelling', () => {
    for (const [text, host, port, spelling] of [
      ['8.8.8.8:1080', '8.8.8.8', 1080, '8.8.8.8:1080'],
      ['[2606:4700::0001]:65535', '2606:4700::1', 65_535, '[2606:4700::1]:65535'],
      ['Proxy.Example.COM:1', 'proxy.example.com', 1, 'proxy.example.com:1'],
      ['_dc-mx.my_app.example:25', '_dc-mx.my_app.example', 25, '_dc-mx.my_app.example:25'],
    ] as const) {
      const read = hostPortOf(text);
      expect(read).to.deep.equal({ host, port });
      expect(spelled(read!)).to.equal(spelling);
    }
  });

  it('refuses every other text that programs take for a host and a port', () => {
    const odd = ODD.map((host) => `${host}:80`);
    for (const text of [...odd, ...NO_TARGETS]) {
      expect(hostPortOf(text), text).to.equal(undefined);
    }
  });

  it('counts the addresses of one customer as one: 64 bits of IPv6, all of IPv4', () => {
    for (const [address, block] of [
      ['203.0.113.9', '203.0.113.9'],
      ['::ffff:203.0.113.9', '203.0.113.9'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:db8:1:2::', '2001:db8:1:2::/64'],
      ['2001:db8::1', '2001:db8:0:0::/64'],
    ] as const) {
      expect(blockOf(address)).to.equal(block);
    }
  });

  it('judges an address of DNS64 by the IPv4 address inside, if a name server gave it', () => {
    const all = [exceptionOf('0.0.0.0/0')];
    const isOpenAt = (host: string) => isOpenInDns({ host, port: 25 }, all);
    for (const host of ['64:ff9b::8.8.8.8', '64:ff9b::101:101', '8.8.8.8', '127.0.0.1']) {
      expect(isOpenAt(host), host).to.equal(true);
    }
    for (const host of [
      '64:ff9b::127.0.0.1',
      '64:ff9b::10.0.0.1',
      '64:ff9b::169.254.169.254',
      '64:ff9b::168.63.129.16',
      '64:ff9b::192.0.2.1',
      '64:ff9b:1::8.8.8.8',
      '::ffff:8.8.8.8',
      '2002:808:808::1',
      '::1',
      'fd00::1',
      '64:ff9b::8.8.8.8%1',
    ]) {
      expect(isOpenAt(host), host).to.equal(false);
    }
    expect(isOpen({ host: '64:ff9b::8.8.8.8', port: 25 }, all)).to.equal(false);
  });

  it('excepts ranges, and single ports of an address', () => {
    const exceptions = ['10.0.0.0/8', '127.0.0.1:1080', 'fd00::/8', '[::1]:1080'].map(exceptionOf);
    const isOpenAt = (text: string) => isOpen(hostPortOf(text)!, exceptions);
    for (const open of [
      '10.9.8.7:1',
      '127.0.0.1:1080',
      '[fd12::1]:9',
      '[::1]:1080',
      '8.8.8.8:53',
    ]) {
      expect(isOpenAt(open), open).to.equal(true);
    }
    for (const closed of ['127.0.0.1:1081', '127.0.0.2:1080', '[::1]:80', '[::ffff:a09:807]:1']) {
      expect(isOpenAt(closed), closed).to.equal(false);
    }
    for (const text of ['10.0.0.0/33', '10.0.0/8', 'localhost:80', '127.0.0.1', '0x7f.0.0.1/8']) {
      expect(() => exceptionOf(text), text).to.throw(/neither a range/);
    }
  });
});

/** Spellings of addresses that some programs read and the RFCs do not know. */
const ODD = [
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.01',
  '127.000.000.001',
  '127.0.0.0x1',
  '127.0.0.1.',
  '127.0.0.256',
  '0',
  '1.2.3.4.5',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  ' 127.0.0.1',
  '127.0.0.1\n',
  'fe80::1%eth0',
  '',
];

const NO_TARGETS = [
  '8.8.8.8',
  '8.8.8.8:',
  '8.8.8.8:0',
  '8.8.8.8:080',
  '8.8.8.8:65536',
  '8.8.8.8:+80',
  '8.8.8.8:8e1',
  '8.8.8.8:80:80',
  ':80',
  '[8.8.8.8]:80',
  '[::1%lo]:80',
  '::1:80',
  '2606:4700::1:80',
  'localhost.:80',
  'user@8.8.8.8:80',
  '-a.example:80',
  'example.1:80',
  'example.0x7f:80',
  `${'a'.repeat(64)}.example:80`,
  `${'a.'.repeat(130)}example:80`,
];
