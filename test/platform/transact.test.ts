import { expect } from 'chai';

import { Refusal } from '../../shared/kernel/refusal.ts';
import { transact } from '../../shared/platform/database.ts';
import { TestPlatform } from '../harness.ts';

describe('a transaction', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  /** How often `work` ran, and what was thrown in the end. */
  async function attemptsOf(
    work: (attempt: number) => unknown,
    options?: { readOnly: boolean },
  ): Promise<{ attempts: number; error: unknown }> {
    let attempts = 0;
    const error = await transact(
      platform.context.database,
      async () => work((attempts += 1)),
      options,
    ).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return { attempts, error };
  }

  const failing = (error: object) => () => {
    throw error;
  };

  it('that is refused is not repeated, whatever the refusal says', async () => {
    for (const message of ['No.', 'Connection terminated', 'The shop is not queryable.']) {
      const refusal = new Refusal('not_found', message);
      for (const readOnly of [true, false]) {
        const { attempts, error } = await attemptsOf(failing(refusal), { readOnly });
        expect([attempts, error === refusal], message).to.deep.equal([1, true]);
      }
    }
  });

  it('that fails for a reason of its own is not repeated', async () => {
    const fault = new TypeError('x is not a function');
    expect(await attemptsOf(failing(fault))).to.deep.equal({ attempts: 1, error: fault });
  });

  it('is repeated after a deadlock, five attempts in all', async () => {
    const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    const twice = await attemptsOf((attempt) => (attempt === 2 ? 'done' : failing(deadlock)()));
    expect(twice).to.deep.equal({ attempts: 2, error: undefined });
    expect(await attemptsOf(failing(deadlock))).to.deep.equal({ attempts: 5, error: deadlock });
  });

  for (const [what, code, message] of [
    ['a lock that was not available', '55P03', 'could not obtain lock on row'],
    ['a conflict with recovery', '40001', 'canceling statement due to conflict with recovery'],
    ['a session that was ended', '57P01', 'terminating connection due to administrator command'],
    ['a server that begins', '57P03', 'the database system is starting up'],
    ['a server without a free connection', '53300', 'sorry, too many clients already'],
    ['a connection exception', '08006', 'connection failure'],
    ['a connection that was reset', 'ECONNRESET', 'read ECONNRESET'],
    ['a primary that was demoted', '25006', 'cannot execute INSERT in a read-only transaction'],
    // The driver gives these no code.
    ['a lost connection', undefined, 'Connection terminated unexpectedly'],
    ['a pool in use', undefined, 'timeout exceeded when trying to connect'],
    [
      'a client that failed before',
      undefined,
      'Client has encountered a connection error and is not queryable',
    ],
  ] as const) {
    it(`is repeated after ${what}`, async () => {
      const error = Object.assign(new Error(message), code && { code });
      const twice = await attemptsOf((attempt) => (attempt === 2 ? 'done' : failing(error)()));
      expect(twice).to.deep.equal({ attempts: 2, error: undefined });
    });
  }

  it('leaves nothing behind of an attempt that failed', async () => {
    const { database } = platform.context;
    const insert =
      'insert into event (agent_id, root_id, type, object_kind, object_id, status, data) ' +
      `values (1, 1, 'left_behind', 'x', 1, 'x', '{}')`;
    const refused = transact(database, async (db) => {
      await db.query(insert);
      throw new Refusal('not_found', 'No.');
    });
    await refused.catch(() => undefined);
    expect(await platform.query(`select from event where type = 'left_behind'`)).to.have.length(0);
  });
});
