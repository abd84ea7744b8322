import { expect } from 'chai';
import { randomUUID } from 'node:crypto';

import { TestPlatform } from '../harness.ts';

describe('the email address of a registration', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  const register = (email: string) => {
    const username = `r${randomUUID().slice(0, 12)}`;
    const body = { username, email, password: 'correct horse battery' };
    return platform.request('POST /api/v1/agent/register', { body });
  };

  const MAILBOXES: readonly [what: string, of: (unique: string) => string][] = [
    ['an international domain', (unique) => `${unique}@münchen.example`],
    ['an international name', (unique) => `josé.${unique}@example.com`],
    ['a name and a domain of other scripts', (unique) => `用户${unique}@例子.广告`],
    ['a quoted name', (unique) => `"${unique} @ home"@example.com`],
    ['a tag', (unique) => `${unique}+market@example.com`],
    ['signs that mail systems allow', (unique) => `o'neil/${unique}=x@example.com`],
    ['an address in place of a domain', (unique) => `${unique}@[IPv6:2001:db8::1]`],
  ];
  for (const [what, of] of MAILBOXES) {
    it(`may have ${what}`, async () => {
      const email = of(randomUUID().replaceAll('-', ''));
      const { status, text } = await register(email);
      expect(status, text).to.equal(200);
    });
  }

  it('is one however it is spelled', async () => {
    const unique = randomUUID().replaceAll('-', '');
    const email = `jos\u00e9.${unique}@münchen.example`;
    const { body } = await register(email);
    for (const spelled of [
      `jose\u0301.${unique}@münchen.example`,
      `jos\u00e9.${unique}@MÜNCHEN.example`,
      `jos\u00e9.${unique.toUpperCase()}@xn--mnchen-3ya.example`,
    ]) {
      const { status, body: answer } = await register(spelled);
      expect(status, spelled).to.equal(422);
      expect(answer.details.fields[0].pointer).to.equal('/email');
      const query = `?email=${encodeURIComponent(spelled)}`;
      const { body: found } = await platform.request(`GET /api/v1/admin/agents${query}`, {
        key: 'operator-token-of-the-tests',
      });
      expect(
        found.agents.map(({ agent_id }: { agent_id: number }) => agent_id),
        spelled,
      ) //
        .to.deep.equal([body.agent_id]);
    }
  });
});
