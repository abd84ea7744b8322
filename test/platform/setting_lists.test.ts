import { expect } from 'chai';

import { hostTokens } from '../../shared/platform/config/host_tokens.ts';
import { list, urlList } from '../../shared/platform/config/setting_values.ts';

describe('a list in a setting', () => {
  it('has commas, spaces or both between its items', () => {
    for (const text of ['a,b', 'a, b', 'a b', ' a ,, b, ']) {
      expect(list(text), text).to.deep.equal(['a', 'b']);
    }
    expect(list('')).to.deep.equal([]);
  });

  it('of URLs keeps the commas of a URL', () => {
    const [one, other] = ['https://a.example.com/x,y?z=1,2', 'http://b.example.com/'];
    for (const between of [',', ', ', ' ', '\n']) {
      expect(urlList(one + between + other), between).to.deep.equal([one, other]);
    }
    expect(urlList(`${one}, proxies.csv`)).to.deep.equal([one, 'proxies.csv']);
    expect(urlList('')).to.deep.equal([]);
  });

  it('of tokens keeps the commas of a token', () => {
    const parse = hostTokens(['https://a.example.com', 'https://b.example.com:8443/idx']);
    for (const between of [',', ', ', ' ']) {
      const { byHost } = parse(`a.example.com=one,1==${between}b.example.com:8443=two`);
      expect([...byHost], between).to.deep.equal([
        ['a.example.com', 'one,1=='],
        ['b.example.com:8443', 'two'],
      ]);
    }
    expect(parse('one,token==')).to.deep.include({ any: 'one,token==' });
  });
});
