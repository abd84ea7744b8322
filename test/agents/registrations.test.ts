import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { countRegistration, registrationOf } from '../../shared/domains/agents/registrations.ts';
import { giveWelcomeCredit } from '../../shared/domains/agents/welcome_credit.ts';
import type { RateLimit, Tx } from '../../shared/kernel/tx.ts';
import { transact } from '../../shared/platform/database.ts';
import { parseAddress } from '../../shared/kernel/mail_address.ts';
import { TestPlatform } from '../harness.ts';
import { untilWaiting } from '../in_queue.ts';

const LIMITS = { perAddress: 2, perEmailDomain: 3 };

/** By one process; test/agents/registration_limits.test.ts has several, and callers. */
describe('registrations', () => {
  let platform: TestPlatform;
  before(async () => {
    const env = { WELCOME_CREDIT_PER_DAY: '1' };
    platform = await TestPlatform.open({ workers: false, env });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });
  beforeEach(() => platform.query('delete from registration'));

  interface Settings {
    readonly address?: string;
    readonly welcomeCreditPerDay?: number;
  }
  const told: RateLimit[] = [];
  function inTx<T>(work: (tx: Tx) => Promise<T>, settings: Settings = {}): Promise<T> {
    const { address = '192.0.2.1', welcomeCreditPerDay = null } = settings;
    const agents = { ...platform.config.agents, registrations: LIMITS, welcomeCreditPerDay };
    const config = { ...platform.config, agents };
    const onRateLimit = (limit: RateLimit) => told.push(limit);
    return transact(platform.context.database, (db) =>
      work({ db, config, address, onRateLimit, now: new Date() } as Partial<Tx> as Tx),
    );
  }
  /** undefined, or by what it is limited. */
  const register = (email: string, address?: string): Promise<string | undefined> =>
    inTx(
      (tx) => countRegistration(tx, registrationOf(tx, parseAddress(email)!)),
      address ? { address } : {},
    ).then(
      () => undefined,
      ({ details }: { details: { limited_by: string } }) => details.limited_by,
    );

  it('are counted for an hour by address, and the caller is told of that limit only', async () => {
    told.length = 0;
    const three = [await register('a@a.example'), await register('a@b.example')];
    expect([...three, await register('a@c.example')]).to.deep.equal([
      undefined,
      undefined,
      'address',
    ]);
    expect(told.map(({ name, left }) => [name, left])).to.deep.equal([
      ['address', 1],
      ['address', 0],
      ['address', 0],
    ]);
    await platform.query(`update registration set created_at = now() - interval '61 minutes'`);
    expect(await register('a@c.example')).to.equal(undefined);
    expect(await platform.query('select from registration')).to.have.length(1);
  });

  it('of one address are counted one after the other', async () => {
    await register('a@a.example');
    let last: Promise<string | undefined> | undefined;
    await inTx(async (tx) => {
      await countRegistration(tx, registrationOf(tx, parseAddress('a@b.example')!));
      last = register('a@c.example');
      await Promise.race([last, untilWaiting(platform, 1)]);
    });
    expect(await last).to.equal('address');
  });

  it('are counted by the email domain, however it is written', async () => {
    const found: (string | undefined)[] = [];
    for (const [n, email] of [
      'a@d.example',
      'a@D.Example',
      '"a@b"@d.example',
      'b@d.example',
    ].entries()) {
      found.push(await register(email, `192.0.2.${n}`));
    }
    expect(found).to.deep.equal([undefined, undefined, undefined, 'email_domain']);
  });

  it('get welcome credit up to exactly what a day has', async () => {
    const none = await inTx((tx) => giveWelcomeCredit(tx, 1), { welcomeCreditPerDay: 0 });
    expect(none, 'the first of the day').to.equal(0n);
    const agents = [await platform.agent(), await platform.agent(), await platform.agent()];
    const balances = await Promise.all(agents.map((agent) => platform.balance(agent)));
    expect(balances).to.deep.equal([0.5, 0.5, 0]);
    // The mailbox of the third has its credit still to come.
    expect(await platform.query('select from welcome_mailbox')).to.have.length(2);
  });
});
