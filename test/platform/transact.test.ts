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

  it('is repeated after a lost connection, which the driver gives no code', async () => {
    const lost = new Error('Connection terminated unexpectedly');
    const twice = await attemptsOf((attempt) => (attempt === 2 ? 'done' : failing(lost)()));
    expect(twice).to.deep.equal({ attempts: 2, error: undefined });
  });

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
