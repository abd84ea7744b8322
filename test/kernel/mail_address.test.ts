import { expect } from 'chai';

import { parseAddress, withLeastQuoting } from '../../shared/kernel/mail_address.ts';

describe('the least quoting of an address', () => {
  for (const [local, sent] of [
    ['"ada"', 'ada'],
    ['"a\\da.b"', 'ada.b'],
    ['"a b"', '"a b"'],
    ['"a..b"', '"a..b"'],
    ['"\\"a\\""', '"\\"a\\""'],
    ['""', '""'],
    ['ada', 'ada'],
  ] as const) {
    it(`is ${sent} for ${local}`, () => {
      const domain = 'example.com';
      expect(withLeastQuoting({ local, domain })).to.deep.equal({ local: sent, domain });
    });
  }
});

describe('the parser of addresses', () => {
  const LOCAL_64 = 'a'.repeat(64);
  const LABEL_63 = 'b'.repeat(63);

  for (const [text, local, domain] of [
    ['ada@example.com', 'ada', 'example.com'],
    ['Ada.Lovelace@Example.COM', 'Ada.Lovelace', 'example.com'],
    ['a@b.cd', 'a', 'b.cd'],
    ['user+tag@example.com', 'user+tag', 'example.com'],
    ["o'neil/x=y!#$%&*{|}~^`?_-@example.com", "o'neil/x=y!#$%&*{|}~^`?_-", 'example.com'],
    ['1@1.example', '1', '1.example'],
    ['"much more unusual"@example.com', '"much more unusual"', 'example.com'],
    ['"a@b"@example.com', '"a@b"', 'example.com'],
    ['"a\\"b\\\\c"@example.com', '"a\\"b\\\\c"', 'example.com'],
    ['""@example.com', '""', 'example.com'],
    [`${LOCAL_64}@example.com`, LOCAL_64, 'example.com'],
    [`a@${LABEL_63}.example`, 'a', `${LABEL_63}.example`],
    ['a@x--y.example', 'a', 'x--y.example'],
    ['a@example.co1', 'a', 'example.co1'],
    ['ada@[192.0.2.1]', 'ada', '[192.0.2.1]'],
    ['ada@[IPv6:2001:db8::1]', 'ada', '[IPv6:2001:db8::1]'],
    // International: IDNA for the domain, as it is for the mailbox.
    ['info@münchen.de', 'info', 'xn--mnchen-3ya.de'],
    ['info@MÜNCHEN.de', 'info', 'xn--mnchen-3ya.de'],
    ['info@xn--mnchen-3ya.de', 'info', 'xn--mnchen-3ya.de'],
    ['user@例え。テスト', 'user', 'xn--r8jz45g.xn--zckzah'],
    ['josé@example.com', 'josé', 'example.com'],
    ['用户@例子.广告', '用户', 'xn--fsqu00a.xn--4rr70v'],
    ['"имя"@example.com', '"имя"', 'example.com'],
  ] as const) {
    it(`accepts ${text.slice(0, 50)}`, () => {
      expect(parseAddress(text)).to.deep.equal({ local, domain });
    });
  }

  for (const text of [
    '',
    'ada',
    '@',
    'ada@',
    '@example.com',
    'ada@@example.com',
    'ada@example',
    'ada@localhost',
    'ada@com.',
    'ada@example.com.',
    'ada@.example.com',
    'ada@example..com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@exam_ple.com',
    'ada@example.123',
    'ada@127.0.0.1',
    'ada@0x7f.1',
    'ada@ex%61mple.com',
    'ada@exam ple.com',
    'ada@example.com:25',
    'ada@example.com/x',
    'ada@example.com>',
    'ada@xn--zzzzzz99999999.com',
    'ada@a\u0301\u2488.example',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'a da@example.com',
    'a(comment)da@example.com',
    'ada(comment)@example.com',
    'a,b@example.com',
    'a<b>@example.com',
    'Ada <ada@example.com>',
    'mailto:a:b@example.com',
    'a"b@example.com',
    '"ada@example.com',
    '"a"b"@example.com',
    '"ada\\"@example.com',
    'ada@[192.0.2.256]',
    'ada@[IPv6:192.0.2.1]',
    'ada@[2001:db8::1]',
    'ada@[IPv6:::zz]',
    'ada@[example.com]',
    'ada@example.com\r\nRCPT TO:<x@example.com>',
    'ada\r\nDATA@example.com',
    '"a\r\nb"@example.com',
    'ada\u0000@example.com',
    'ad\u200ba\u0020@example.com',
    'ada\u00a0b@example.com',
    'ada\u202eb@example.com',
    `${LOCAL_64}a@example.com`,
    `${'é'.repeat(33)}@example.com`,
    `a@${LABEL_63}b.example`,
    `${LOCAL_64}@${`${'c'.repeat(60)}.`.repeat(3)}example`,
  ]) {
    it(`refuses ${JSON.stringify(text).slice(0, 60)}`, () => {
      expect(parseAddress(text)).to.equal(undefined);
    });
  }

  it('takes little time, whatever is sent', () => {
    const from = process.cpuUsage(); // By the clock, others on this machine would count too.
    for (const piece of ['a', '.', 'a.', '"', '\\"', '@', 'é', 'a@', 'xn--']) {
      parseAddress(`${piece.repeat(50_000)}@example.com`);
      parseAddress(`a@${piece.repeat(50_000)}`);
    }
    expect(process.cpuUsage(from).user / 1_000).to.be.below(1_000);
  });
});
