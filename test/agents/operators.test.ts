import { expect } from 'chai';

import { authenticate } from '../../shared/domains/agents/authenticate.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { TestPlatform } from '../harness.ts';

const REVIEW = 'GET /api/v1/admin/products';
const FIRST = 'the-only-token-of-the-first';
const ADA = 'a-token-that-only-ada-has';
const GRACE = 'a-token-that-only-grace-has';

describe('operators', () => {
  let platform: TestPlatform;
  before(async () => {
    const env = { OPERATOR_TOKEN: FIRST, OPERATOR_TOKENS: `ada:${ADA}, grace_2:${GRACE}` };
    platform = await TestPlatform.open({ workers: false, env });
  });
  after(() => platform.close());

  const statusOf = async (key: string) => (await platform.request(REVIEW, { key })).status;

  it('are each let in by their own token', async () => {
    for (const token of [FIRST, ADA, GRACE]) expect(await statusOf(token)).to.equal(200);
  });

  it('are known by their names to what they call', async () => {
    const nameOf = async (token: string) =>
      (await authenticate(platform.context, token, { access: 'operator' })).operator;
    expect([await nameOf(FIRST), await nameOf(ADA), await nameOf(GRACE)]).to.deep.equal([
      'operator',
      'ada',
      'grace_2',
    ]);
  });

  it('share no Idempotency-Key: what each of them decides happens', async () => {
    const { id } = await platform.product(await platform.agent());
    for (const [key, decision] of [
      [ADA, 'suspend'],
      [GRACE, 'approve'],
      [ADA, 'suspend'],
    ] as const) {
      const headers = { 'idempotency-key': 'of-all-operators' };
      const call = { key, headers, body: { decision } };
      const { status } = await platform.request(`POST ${REVIEW.slice(4)}/${id}/review`, call);
      expect(status).to.equal(200);
    }
  });

  it('are refused by any other token, also by a part of one and by a key of an agent', async () => {
    const { key } = await platform.agent();
    for (const token of [
      'x'.repeat(30),
      ADA.slice(1),
      ADA.slice(0, -1),
      `${ADA}x`,
      `ada:${ADA}`,
      'ada',
      key,
    ]) {
      const { status, body } = await platform.request(REVIEW, { key: token });
      expect([status, body.error], token).to.deep.equal([401, 'invalid_key']);
    }
  });
});

describe('the setting OPERATOR_TOKENS', () => {
  const read = (env: Record<string, string>) =>
    readConfig({
      DATABASE_URL: 'postgres://127.0.0.1/market',
      REDIS_URL: 'redis://127.0.0.1',
      MASTER_KEYS: newMasterKey('test'),
      ...env,
    }).agents.operators;

  it('needs no OPERATOR_TOKEN beside it', () => {
    expect(read({ OPERATOR_TOKENS: `ada:${ADA}` })).to.deep.equal([{ name: 'ada', token: ADA }]);
    expect(read({ OPERATOR_TOKEN: ADA })).to.deep.equal([{ name: 'operator', token: ADA }]);
    expect(() => read({})).to.throw('OPERATOR_TOKEN is not set');
  });

  const refused: Record<string, [string, string]> = {
    'a name twice': [`ada:${ADA},ada:${GRACE}`, 'repeats a name'],
    'the name of OPERATOR_TOKEN': [`operator:${ADA}`, 'repeats a name'],
    'one token of two names': [`ada:${ADA},grace:${ADA}`, 'gives one token to two operators'],
    'the token of OPERATOR_TOKEN': [`ada:${FIRST}`, 'gives one token to two operators'],
    'a short token': ['ada:short', 'must be a list of <name>:<token>'],
    'a token without a name': [ADA, 'must be a list of <name>:<token>'],
    'a name in capitals': [`Ada:${ADA}`, 'must be a list of <name>:<token>'],
    'a name of 33 characters': [`${'a'.repeat(33)}:${ADA}`, 'must be a list of <name>:<token>'],
    'no operator': [' , ', 'names no operator'],
  };
  for (const [what, [text, fault]] of Object.entries(refused)) {
    it(`refuses ${what} at the start, and shows no token`, () => {
      const start = () => read({ OPERATOR_TOKEN: FIRST, OPERATOR_TOKENS: text });
      expect(start).to.throw(`OPERATOR_TOKENS ${fault}`);
      expect(start).not.to.throw(new RegExp(`${ADA}|${FIRST}|short`));
    });
  }
});
