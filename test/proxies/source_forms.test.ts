import { expect } from 'chai';

import { openListing } from '../../shared/domains/proxies/sources/listing.ts';

const utf16 = (text: string, isBig = false): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

const A = '8.8.8.8';
const B = '9.9.9.9';
const BOTH = { [`${A}:1080`]: '', [`${B}:9050`]: '' };
const NAMED = { [`${A}:1080`]: 'US', [`${B}:9050`]: 'CH' };
const ONE = { [`${A}:1080`]: '' };

const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
const PAGE = '<!doctype html><html><head><script>var a = "1.1.1.1:80"</script></head><body>';

/** The forms in which lists of proxies are published, and what is read of each. */
const FORMS: Readonly<Record<string, readonly [text: string | Buffer, entries: object]>> = {
  'a proxy a line': [`${A}:1080\n${B}:9050`, BOTH],
  'address and port with a blank': [`${A} 1080\n${B}\t9050`, BOTH],
  'address and port in columns': [`${A} | 1080 | US\n${B} | 9050 | CH`, NAMED],
  'a table of Markdown': [`| IP | Port |\n|---|---|\n| ${A} | 1080 |\n| ${B} | 9050 |`, BOTH],
  'numbered lines': [`1. ${A}:1080\n2) ${B}:9050`, BOTH],
  'a line of many': [`${A}:1080 ${B}:9050`, BOTH],
  'a line of many, with commas': [`${A}:1080,${B}:9050`, BOTH],
  'one long line': [`${`${A}:1080 `.repeat(200)}${B}:9050`, BOTH],
  'a text beside them': [
    `Last checked: 2026-11-20 12:30\nFree proxies!\n${A}:1080\n${B}:9050`,
    BOTH,
  ],
  'more words than proxies': [`${'A list of proxies.\n'.repeat(9)}${A}:1080\n`, ONE],
  'a country before': [`US ${A}:1080\nCH ${B}:9050`, NAMED],
  'a protocol before': [`socks5 ${A}:1080\nsocks5 ${B}:9050`, BOTH],
  'the form of PAC': [`SOCKS5 ${A}:1080; SOCKS5 ${B}:9050; DIRECT`, BOTH],
  'URLs with paths and names': [`socks5://${A}:1080/?x=1\nsocks5h://${B}:9050#Zurich`, BOTH],
  'URLs with a login': [`socks5://u:p@7.7.7.7:1080\nsocks5://${A}:1080`, ONE],
  'a login before': [`u:p@7.7.7.7:1080\n${A}:1080`, ONE],
  'a country behind, with a colon': [`${A}:1080:US\n${B}:9050:ch`, NAMED],
  'countries behind in a line of many': [`${A}:1080:US ${B}:9050:CH`, NAMED],
  'a country behind IPv6': [`[2001:4860::8]:1080:US`, { '[2001:4860::8]:1080': 'US' }],
  'a protocol behind, with @': [
    `${A}:1080@socks5\n7.7.7.7:80@http\n7.7.7.8:80@user\n${B}:9050@SOCKS5H`,
    BOTH,
  ],
  'a protocol behind, with a colon': [`${A}:1080:socks5\n7.7.7.7:80:http\n${B}:9050:socks5`, BOTH],
  'JSON of texts with a country': [`["${A}:1080:US","${B}:9050:CH"]`, NAMED],
  'a login behind that begins like a country': [`7.7.7.7:1080:us:pass\n${A}:1080`, ONE],
  'a login behind, with colons': [`7.7.7.7:1080:user:pass\n${A}:1080`, ONE],
  'a login behind, with @': [`7.7.7.7:1080@user:pass\n${A}:1080`, ONE],
  'a login before, with colons': [`user:pass:7.7.7.7:1080\n${A}:1080`, ONE],
  'host names beside addresses': [`proxy.example.com:1080\na.example:80\n${A}:1080`, ONE],
  proxychains: [
    `# proxychains.conf\nstrict_chain\nproxy_dns\ntcp_read_time_out 15000\n[ProxyList]\n` +
      `socks5 ${A} 1080\nsocks5\t7.7.7.7\t1080\tuser\tpass\nhttp 7.7.7.8 3128\n`,
    ONE,
  ],
  'proxychains from its list on': [`[ProxyList]\nsocks5 ${A} 1080\nsocks5 ${B} 9050`, BOTH],
  'CSV with a header': [`ip,port,country\n${A},1080,US\n${B},9050,CH`, NAMED],
  'CSV with a login': [`ip,port,username,password\n${A},1080,,\n7.7.7.7,1080,u,p`, ONE],
  'CSV with the protocol first': [`socks5,${A},1080,US\nsocks5,${B},9050,CH`, NAMED],
  'quoted lines': [`'${A}:1080',\n"${B}:9050",`, BOTH],
  'a list of Python': [`['${A}:1080', '${B}:9050']`, BOTH],
  'JSON lines': [
    `{"ip":"${A}","port":1080,"country":"US"}\n{"ip":"${B}","port":9050,"country":"CH"}\n`,
    NAMED,
  ],
  'JSON lists behind each other': [`["${A}:1080"]["${B}:9050"]`, BOTH],
  'JSON lines of texts in lists': [`["${A}",1080]\n["${B}",9050]\n`, BOTH],
  'JSON of pairs': [`[["${A}",1080],["${B}","9050"]]`, BOTH],
  'JSON of pairs with more': [`[["${A}",1080,"socks5","US"],["${B}",9050,"socks5","CH"]]`, NAMED],
  'JSON of one pair': [`[["${A}",1080]]`, ONE],
  'JSON of texts': [`["${A}:1080","${B}:9050"]`, BOTH],
  'JSON of many texts': [`[${`"${A}:1080",`.repeat(20)}"${B}:9050"]`, BOTH],
  'JSON with a list in an object': [`{"data":{"proxies":["${A}:1080","${B}:9050"]}}`, BOTH],
  'JSON with lists in lists': [`[[["${A}:1080"],["${B}:9050"]]]`, BOTH],
  'JSON by country': [`{"US":["${A}:1080"],"CH":["${B}:9050"]}`, NAMED],
  'JSON by protocol': [`{"http":["7.7.7.7:80"],"socks5":["${A}:1080","${B}:9050"]}`, BOTH],
  'JSON by number': [`{"0":{"ip":"${A}","port":1080},"1":{"ip":"${B}","port":9050}}`, BOTH],
  'JSON of groups': [
    `[{"country":"US","proxies":["${A}:1080"]},{"country":"CH","proxies":["${B}:9050"]}]`,
    BOTH,
  ],
  'JSON with a short list first': [
    `{"blocked":["7.7.7.7:1080"],"proxies":[{"ip":"${A}","port":1080},{"ip":"${B}","port":9050}]}`,
    BOTH,
  ],
  'JSON with other names': [
    `{"proxies":[{"server":"${A}","server_port":1080},{"hostname":"${B}","port":"9050"}]}`,
    BOTH,
  ],
  'JSON with objects inside': [
    `[{"ip":"${A}","geo":{"country":"US","x":[1,2]},"port":1080,"protocols":["socks4","socks5"]}]`,
    ONE,
  ],
  'JSON with a login': [
    `[{"ip":"7.7.7.7","port":1080,"username":"u","password":"p"},{"ip":"${A}","port":1080}]`,
    ONE,
  ],
  'YAML of Clash, a line each': [
    `port: 7890\nproxies:\n  - {name: "a, b", type: socks5, server: ${A}, port: 1080}\n` +
      `  - { name: b, type: socks5, server: '${B}', port: 9050 }\nproxy-groups:\n  - name: all\n`,
    BOTH,
  ],
  'YAML of Clash with JSON in it': [
    `proxies:\n  - {"name":"a","type":"socks5","server":"${A}","port":1080,"udp":true}\n` +
      `  - {"name":"b","type":"socks5","server":"${B}","port":9050}\n`,
    BOTH,
  ],
  'YAML of Clash, a field a line': [
    `proxies:\n- name: a\n  type: socks5\n  server: ${A}\n  port: 1080\n  udp: true\n` +
      `- name: b\n  server: ${B}\n  port: 9050\n  type: socks5\n` +
      `- name: c\n  server: 7.7.7.7\n  port: 1\n  type: ss\n  password: x\nrules:\n  - MATCH,all\n`,
    BOTH,
  ],
  'a table of HTML': [
    `${PAGE}<table><tr><th>IP Address</th><th>Port</th><th>Code</th></tr>` +
      `${row(A, '1080', 'US')}\n${row(B, '9050', 'CH')}</table></body></html>`,
    NAMED,
  ],
  'a table of HTML over several lines': [
    `${PAGE}<table>${row(`\n  <b>${A}</b>\n`, '\n 1080 ')}${row(B, '<a href="/x">9050</a>')}`,
    BOTH,
  ],
  'lines within HTML': [`${PAGE}<p>Proxies:<br/>${A}:1080<br>${B}:9050</p>`, BOTH],
  'a text area of HTML': [`${PAGE}<textarea>${A}:1080\n${B}:9050</textarea>`, BOTH],
  'HTML with entities': [`${PAGE}<li>8&#46;8.8.8&#x3a;1080</li><li>${B}&nbsp;9050</li>`, BOTH],
  XML: [
    `<?xml version="1.0"?><list><proxy><ip>${A}</ip><port>1080</port></proxy>` +
      `<proxy><ip>${B}</ip><port>9050</port></proxy></list>`,
    BOTH,
  ],
  'UTF-16 of Windows': [utf16(`${A}:1080\r\n${B}:9050\r\n`), BOTH],
  'UTF-16, big end first': [utf16(`${A}:1080\n${B}:9050\n`, true), BOTH],
  'JSON in UTF-16': [utf16(`["${A}:1080","${B}:9050"]`), BOTH],
};

describe('a list of proxies in the form of', () => {
  const read = (text: string | Buffer, bytes: number): object => {
    const reader = openListing({ entriesMax: 1_000 });
    const all = Buffer.from(text);
    for (let at = 0; at < all.length; at += bytes) reader.write(all.subarray(at, at + bytes));
    return Object.fromEntries(reader.end().entries);
  };

  for (const [form, [text, entries]] of Object.entries(FORMS)) {
    it(`${form} is read`, () => {
      for (const bytes of [1, 7, 65_536]) {
        expect(read(text, bytes), `in pieces of ${bytes}`).to.deep.equal(entries);
      }
    });
  }

  it('nothing that is a proxy is refused', () => {
    for (const text of ['no proxy', '<html><p>Too many requests</p>', '{"a":"b"}', '[[1,2]]']) {
      expect(() => read(text, 9), text).to.throw(/no list of proxies|without a list|empty/);
    }
  });
});
