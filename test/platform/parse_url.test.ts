import { expect } from 'chai';

import { parseUrl } from '../../shared/platform/parse_url.ts';

describe('parseUrl', () => {
  it('takes a host with a letter of Latin-1, also when it is compiled', () => {
    const text = 'https://m\u00e4rkt.example/\u00fcber';
    const hosts = new Set(Array.from({ length: 20_000 }, () => parseUrl(text)?.host));
    expect([...hosts]).to.deep.equal(['xn--mrkt-loa.example']);
  });

  it('answers nothing where there is no URL, and resolves what is relative', () => {
    for (const text of ['', 'market.example', 'https://', '//a']) {
      expect(parseUrl(text)).to.equal(undefined);
    }
    expect(parseUrl('../b', 'https://a.example/x/y')?.href).to.equal('https://a.example/b');
  });
});
