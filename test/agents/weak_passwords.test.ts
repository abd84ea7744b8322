import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { owner } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';

const ADVICE = 'use a few words that do not belong together, or let a password manager make one';

const COMMON = 'is common, so it is guessed first';
const REGULAR = 'is a row or a repetition, so it is guessed first';
const OWN = 'is your own name or address';

const WEAK: Readonly<Record<string, string>> = {
  password1: COMMON,
  'P@ssw0rd': COMMON,
  'Password2026!': COMMON,
  letme1n1: COMMON,
  l3tmein99: COMMON,
  'Summer2024!': COMMON,
  '1q2w3e4r': COMMON,
  agentmarketplace: COMMON,
  '12345678': REGULAR,
  '4567mnop': REGULAR,
  qwer1234: REGULAR,
  '87654321': REGULAR,
  aaaaaaaa: REGULAR,
  abababab: REGULAR,
  horsehorse: REGULAR,
};

const GOOD = [
  'eight-88',
  'correct horse',
  'пароль и ключ',
  'aabbccdd',
  'x'.repeat(128),
  'K83jf-la',
];

describe('a new password', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  const unique = () => `u${randomUUID().slice(0, 12)}`;
  const register = (password: string, username = unique(), email = `${username}@example.com`) =>
    platform.request('POST /api/v1/agent/register', { body: { username, email, password } });

  it('is refused if it is guessed first, with what to do', async () => {
    for (const [password, reason] of Object.entries(WEAK)) {
      const { status, body, text } = await register(password);
      expect([status, body.error], password).to.deep.equal([422, 'validation_error']);
      expect(body.details.fields, password).to.deep.equal([
        { pointer: '/password', message: `${reason}: ${ADVICE}` },
      ]);
      expect(text).not.to.include(password);
    }
    for (const password of GOOD) expect((await register(password)).status, password).to.equal(200);
  });

  it('is not the own name or address, also with digits and signs around', async () => {
    const username = `ada.${randomUUID().slice(0, 8)}`;
    const email = `lovelace${randomUUID().slice(0, 4)}@example.com`;
    const [mailbox] = email.split('@') as [string];
    for (const password of [username, `${username}99!`, email.toUpperCase(), `${mailbox}!`]) {
      const { body } = await register(password, username, email);
      expect(body.message, password).to.equal(`/password ${OWN}: ${ADVICE}.`);
    }
    expect((await register(`${username} and rain`, username, email)).status).to.equal(200);
    expect((await register('7391850264a', unique(), `a@${unique()}.com`)).status).to.equal(200);
  });

  it('is held to the same where it is changed, and where a key resets it', async () => {
    const { browser, agent } = await owner(platform);
    const change = (password: string) =>
      browser.post('/console/account/password', { secret: 'correct horse battery', password });
    for (const [password, reason] of [
      ['password1', COMMON],
      [`${agent.username}1`, OWN],
    ] as const) {
      const page = await change(password);
      expect(page.status).to.equal(422);
      expect(page.text).to.include(`It ${reason}: ${ADVICE}.`);
      const reset = await platform.request('POST /api/v1/agent/password-reset', {
        key: agent.key,
        body: { password },
      });
      expect(reset.body.message).to.equal(`/password ${reason}: ${ADVICE}.`);
    }
    expect((await change('another horse staple')).status).to.equal(200);
  });
});
