import { expect } from 'chai';
import fc from 'fast-check';

import { exceptionOf, hostPortOf, kindOf } from '../../shared/platform/egress/addresses.ts';
import { BadSource } from '../../shared/domains/proxies/sources/items.ts';
import { openListing, type Listing } from '../../shared/domains/proxies/sources/listing.ts';

describe('a list of proxies', function () {
  this.timeout(60_000);

  const LIMITS = { entriesMax: 1_000 };
  /** In pieces of so many bytes, as they come. */
  const readListing = (text: string, bytes = 65_536, limits: object = LIMITS): Listing => {
    const reader = openListing(limits);
    const all = Buffer.from(text);
    for (let at = 0; at < all.length; at += bytes) reader.write(all.subarray(at, at + bytes));
    return reader.end();
  };
  const read = (text: string, bytes?: number) => {
    const { entries, refused } = readListing(text, bytes);
    return { entries: Object.fromEntries(entries), refused };
  };
  const faultOf = (text: string, bytes?: number) => {
    try {
      return `${readListing(text, bytes).entries.size} entries`;
    } catch (error) {
      expect(error).to.be.instanceOf(BadSource);
      return (error as Error).message;
    }
  };
  const BOTH = { '8.8.8.8:1080': '', '9.9.9.9:9050': '' };
  const NAMED = { '8.8.8.8:1080': 'US', '9.9.9.9:9050': 'CH' };

  for (const [form, text, entries] of [
    ['a proxy a line', '8.8.8.8:1080\n9.9.9.9:9050\n', BOTH],
    ['Windows lines, blanks and comments', '\r\n# a\r\n 8.8.8.8:1080 \r\n\r\n9.9.9.9:9050', BOTH],
    ['URLs', 'socks5://8.8.8.8:1080\nSOCKS5H://9.9.9.9:9050/\n', BOTH],
    ['words behind it', '8.8.8.8:1080 US elite\n9.9.9.9:9050\tCH\n', NAMED],
    ['CSV without a header', '8.8.8.8,1080,socks5,US\n9.9.9.9;9050;socks5;CH', NAMED],
    ['CSV with a header', 'country,port,ip\nus,1080,8.8.8.8\nch,9050,9.9.9.9', NAMED],
    ['quoted CSV', '"ip","port","country"\n"8.8.8.8","1080","US"\n"9.9.9.9","9050","CH"', NAMED],
    ['a header for whole proxies', 'proxy,country_code\n8.8.8.8:1080,US\n9.9.9.9:9050,CH', NAMED],
    ['a JSON list of strings', '["8.8.8.8:1080", "socks5://9.9.9.9:9050"]', BOTH],
    [
      'JSON objects',
      '[{"ip":"8.8.8.8","port":1080,"country":"US"},{"Host":"9.9.9.9","Port":"9050","countryCode":"ch"}]',
      NAMED,
    ],
    [
      'a JSON list inside an object',
      '{"total":2,"data":[{"proxy":"socks5://8.8.8.8:1080"},{"ip":"9.9.9.9","port":9050,"protocols":["socks4","socks5"]}]}',
      BOTH,
    ],
    [
      'IPv6',
      '[2606:4700:0:0::1111]:1080\nsocks5://[2606:4700::1111]:1081',
      {
        '[2606:4700::1111]:1080': '',
        '[2606:4700::1111]:1081': '',
      },
    ],
  ] as const) {
    it(`is read as ${form}`, () => {
      for (const bytes of [1, 7, 65_536]) {
        expect(read(text, bytes).entries, `${bytes}`).to.deep.equal(entries);
        expect(read(`\ufeff${text}`, bytes).entries, `${bytes}, BOM`).to.deep.equal(entries);
      }
    });
  }

  it('gives every entry once, and counts what it refused by reason', () => {
    const { entries, refused } = read(
      [
        '8.8.8.8:1080',
        'socks5h://8.8.8.8:1080',
        'user:secret@8.8.4.4:1080',
        'socks5://user:secret@8.8.4.4:1080',
        'http://8.8.4.4:3128',
        'socks4://8.8.4.4:1080',
        '127.0.0.1:1080',
        '10.1.2.3:1080',
        '192.168.1.1:1080',
        '169.254.169.254:80',
        '100.64.0.1:1080',
        '[::1]:1080',
        '[fd00::1]:1080',
        'proxy.example.com:1080',
        '0x08080808:1080',
        '8.8.4.4:99999',
        '8.8.4.4:0',
      ].join('\n'),
    );
    expect(entries).to.deep.equal({ '8.8.8.8:1080': '' });
    expect(refused).to.deep.equal({
      duplicate: 1,
      password: 2,
      protocol: 2,
      not_public: 7,
      unreadable: 4,
    });
  });

  for (const [what, text, message] of [
    ['nothing', '', /empty/],
    ['only comments', '# a\n# b\n', /empty/],
    ['an empty JSON list', '[]', /empty/],
    [
      'a web page',
      `<html>\n<body>\n${'<p>Too many requests</p>\n'.repeat(40)}8.8.8.8\n`,
      /no list/,
    ],
    ['broken JSON', '[{"ip":"8.8.8.8","port":1080}', /not JSON/],
    ['JSON of something else', '{"error":"quota"}', /without a list/],
    ['an empty list in JSON', '{"data":[],"total":0}', /empty/],
    ['JSON of one large entry', `[{"a":[${'{},'.repeat(1_000)}{}]}]`, /too large/],
    ['JSON that is deep', '['.repeat(5_000), /too large/],
    ['JSON of one long text', `["${'x'.repeat(2 ** 20)}`, /not JSON/],
    ['too many JSON objects', `[${'{},'.repeat(1_000)}{}]`, /more than 1000 entries/],
    [
      'noise',
      Buffer.from(Array.from({ length: 9_000 }, (_, n) => (n * 31) % 256)).toString(),
      /no list/,
    ],
    ['too many lines', '8.8.8.8:1080\n'.repeat(1_001), /more than 1000 entries/],
  ] as const) {
    it(`is refused as a whole when it is ${what}`, () => {
      expect(faultOf(text)).to.match(message);
      if (text.length < 10_000) expect(faultOf(text, 7)).to.match(message);
    });
  }

  it('gives nothing but public addresses with a port, whatever it lists', () => {
    const piece = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.integer({ min: 0, max: 70_000 }).map(String),
      fc.constantFrom(
        ':',
        ',',
        '\n',
        '[',
        ']',
        '"',
        '{',
        '}',
        'socks5://',
        '@',
        ' ',
        'ip',
        'port',
        '\t',
      ),
      fc.string({ maxLength: 5 }),
    );
    let longest = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30, size: 'max' }), (pieces) => {
        longest = Math.max(longest, pieces.length);
        const text = pieces.join('');
        const fault = faultOf(text, 5);
        expect(fault).to.equal(faultOf(text));
        if (!/^\d+ entries$/.test(fault)) return;
        for (const [address, country] of readListing(text).entries) {
          expect(kindOf(hostPortOf(address)!.host), address).to.equal('public');
          expect(country).to.match(/^([A-Z]{2})?$/);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(longest).to.equal(30);
  });

  it('may hold exceptions of EGRESS_ALLOW', () => {
    const limits = { exceptions: [exceptionOf('127.0.0.1:1080')] };
    const { entries } = readListing('127.0.0.1:1080\n127.0.0.1:1081', 9, limits);
    expect([...entries.keys()]).to.deep.equal(['127.0.0.1:1080']);
  });
});
