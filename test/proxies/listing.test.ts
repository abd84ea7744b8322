import { expect } from 'chai';
import fc from 'fast-check';

import { exceptionOf, hostPortOf, kindOf } from '../../shared/platform/egress/addresses.ts';
import { BadSource } from '../../shared/proxies/sources/formats.ts';
import { readListing } from '../../shared/proxies/sources/listing.ts';

describe('a list of proxies', function () {
  this.timeout(60_000);

  const read = async (text: string) => {
    const { entries, refused } = await readListing(text);
    return { entries: Object.fromEntries(entries), refused };
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
    it(`is read as ${form}`, async () => {
      expect((await read(text)).entries).to.deep.equal(entries);
    });
  }

  it('gives every entry once, and counts what it refused by reason', async () => {
    const { entries, refused } = await read(
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
      `<html>\n<body>\n${'<p>Too many requests</p>\n'.repeat(40)}8.8.8.8:1080\n`,
      /no list/,
    ],
    ['broken JSON', '[{"ip":"8.8.8.8","port":1080}', /not JSON/],
    ['JSON of something else', '{"error":"quota"}', /without a list/],
    [
      'noise',
      Buffer.from(Array.from({ length: 9_000 }, (_, n) => (n * 31) % 256)).toString(),
      /no list/,
    ],
    ['millions of lines', '8.8.8.8:1080\n'.repeat(1_000_001), /more than 1000000/],
  ] as const) {
    it(`is refused as a whole when it is ${what}`, async () => {
      const error = await readListing(text).catch((fault: unknown) => fault);
      expect(error).to.be.instanceOf(BadSource);
      expect((error as Error).message).to.match(message);
    });
  }

  it('does not block the event loop while it is read', async () => {
    const text = Array.from(
      { length: 100_000 },
      (_, n) => `8.${n >> 16}.${(n >> 8) & 255}.${n & 255}:1080`,
    );
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 0);
    const { entries } = await readListing(text.join('\n'));
    clearInterval(turning);
    expect([...entries.keys()].length).to.be.greaterThan(90_000);
    expect(turns).to.be.greaterThan(3);
  });

  it('gives nothing but public addresses with a port, whatever it lists', async () => {
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
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30, size: 'max' }), async (pieces) => {
        longest = Math.max(longest, pieces.length);
        const listing = await readListing(pieces.join('')).catch((error: unknown) => {
          if (error instanceof BadSource) return undefined;
          throw error;
        });
        for (const [address, country] of listing?.entries ?? []) {
          expect(kindOf(hostPortOf(address)!.host), address).to.equal('public');
          expect(country).to.match(/^([A-Z]{2})?$/);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(longest).to.equal(30);
  });

  it('may hold exceptions of EGRESS_ALLOW', async () => {
    const { entries } = await readListing('127.0.0.1:1080\n127.0.0.1:1081', [
      exceptionOf('127.0.0.1:1080'),
    ]);
    expect([...entries.keys()]).to.deep.equal(['127.0.0.1:1080']);
  });
});
