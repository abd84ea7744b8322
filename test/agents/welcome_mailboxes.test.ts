import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';

/** Public reports of others: one mailbox opened 101 accounts by what follows its plus sign. */
describe('the welcome credit of a mailbox', () => {
  let platform: TestPlatform;
  before(async () => {
    const env = { ONE_WELCOME_CREDIT_PER_MAILBOX: 'true' };
    platform = await TestPlatform.open({ workers: false, env });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  let count = 0;
  const register = (email: string) =>
    platform.request('POST /api/v1/agent/register', {
      body: { username: `mailbox-${++count}`, email, password: 'correct-horse-battery' },
    });
  const balanceOf = async (email: string): Promise<number> => {
    const { status, body } = await register(email);
    expect(status, email).to.equal(200);
    return body.balance;
  };

  it('is given once, whatever follows the plus sign; each address is an agent', async () => {
    const given: [string, number][] = [];
    for (const email of ['ada@a.example', 'Ada+1@A.example', 'ada+b+c@a.example']) {
      given.push([email, await balanceOf(email)]);
    }
    expect(given).to.deep.equal([
      ['ada@a.example', 0.5],
      ['Ada+1@A.example', 0],
      ['ada+b+c@a.example', 0],
    ]);
    const { body } = await register('ada+2@a.example');
    expect(body.notice).to.match(/^Another agent with this mailbox was given the welcome credit/);
    const wallet = await platform.request('GET /api/v1/wallet', { key: body.api_key.key });
    expect(wallet.body).to.include({ balance: 0, credit: 0 });
  });

  it('is that of the address without a tag, if that comes later', async () => {
    expect(await balanceOf('grace+news@a.example')).to.equal(0.5);
    expect(await balanceOf('grace@a.example')).to.equal(0);
  });

  it('is one for all dots of an address at Gmail, under both of its domains', async () => {
    expect(await balanceOf('l.i.n.u.s@gmail.com')).to.equal(0.5);
    expect(await balanceOf('linus@googlemail.com')).to.equal(0);
    expect(await balanceOf('Li.nus+x@GoogleMail.com')).to.equal(0);
  });

  it('is given to each of two people whose addresses are alike', async () => {
    for (const email of ['l.inus@a.example', 'linus@a.example', 'linus@b.example', '+@a.example']) {
      expect(await balanceOf(email), email).to.equal(0.5);
    }
    expect(await balanceOf('+x@a.example'), 'there is no name before the plus').to.equal(0.5);
  });

  it('is given to exactly one of ten who ask for it at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => balanceOf(`once+${n}@a.example`)),
    );
    expect(replies.filter((balance) => balance === 0.5)).to.have.length(1);
  });
});

describe('the welcome credit of addresses, where mailboxes do not count', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('is given to each', async () => {
    for (const email of ['tester@a.example', 'tester+1@a.example']) {
      const body = { username: `tester-${email.length}`, email, password: 'correct-horse-battery' };
      const reply = await platform.request('POST /api/v1/agent/register', { body });
      expect(reply.body.balance).to.equal(0.5);
    }
  });
});
