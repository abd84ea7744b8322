// test:all: a server of MySQL is killed while users are made.
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { child, endChildren } from '../faults/children.ts';
import { eventually } from '../harness.ts';
import { buy, runTimer } from '../orders/trade.ts';
import { EGRESS, login, openMysqlScene, type MysqlScene } from './mysql_scene.ts';
import { access } from './offer.ts';

describe('the user of a buyer at a MySQL server', function () {
  this.timeout(120_000);

  let scene: MysqlScene;
  before(async () => {
    scene = await openMysqlScene();
  });
  after(async () => {
    expect(await audit(scene.platform.context.database)).to.deep.equal([]);
    await scene.close();
  });

  for (const [point, when] of [
    ['W0', 'before it does'],
    ['W1', 'before it records that it has'],
    ['W4', 'before COMMIT'],
    ['W5', 'after COMMIT'],
  ] as const) {
    it(`is made and dropped, though a worker is killed ${when} (${point})`, async () => {
      const { platform, seller, buyer, offerTables, opened, usersOf } = scene;
      const { dataset_id: id, product_id } = await offerTables();
      const order = await buy(platform, buyer, { id: product_id });
      await killAt(point, () => access(platform, buyer, id));
      const { username, connection_string } = await opened(buyer, id);
      await (await login(connection_string)).end();

      // An attempt to make the user that has begun is over before the time is moved.
      await eventually(
        async () => {
          await makeDue();
          return platform.query(
            `select from job where operation = 'set_dataset_user' and status = 'pending'`,
          );
        },
        (pending) => pending.length === 0,
      );
      await platform.request(`POST /api/v1/orders/${order}/refund`, { key: seller.key });
      await platform.query(
        `update dataset_grant set ends_at = now() - interval '2 minutes' where username = $1`,
        [username],
      );
      await killAt(point, () =>
        platform.query(
          `insert into job (id, operation, agent_id, root_id, input, input_hash, request_id, run_at)
           select gen_random_uuid(), 'set_dataset_user', 0, 0, jsonb_build_object('grant_id', id),
                  '', 'test', now() from dataset_grant where username = $1`,
          [username],
        ),
      );
      // The attempt of a killed worker may have failed at a slow server: the timer repeats it.
      await eventually(
        async () => {
          await platform.query('update dataset_grant set next_at = now() where username = $1', [
            username,
          ]);
          await runTimer(platform, 'drop_dataset_users');
          await makeDue();
          return platform.query(
            'select from dataset_grant where username = $1 and dropped_at is not null',
            [username],
          );
        },
        (dropped) => dropped.length === 1,
      );
      expect(await usersOf(username)).to.equal(0);
    });
  }

  const makeDue = () =>
    scene.platform.query(
      `update job set run_at = now(), push_after = null
        where status = 'pending' and operation = 'set_dataset_user'`,
    );

  /** Kills a worker that is at this point with the job that `cause` starts; then others go on. */
  async function killAt(point: string, cause: () => Promise<unknown>): Promise<void> {
    const { platform } = scene;
    await platform.pauseWorkers();
    await cause();
    const [{ id }] = await platform.query(
      `select id from job where operation = 'set_dataset_user' and status = 'pending'`,
    );
    const env = { ...EGRESS, CRASH_AT: point, CRASH_AT_JOB: id };
    const armed = await child(platform, 'test/faults/worker.ts', env);
    try {
      await eventually(makeDue, () => armed.process.signalCode === 'SIGKILL');
    } finally {
      await endChildren();
      await platform.resumeWorkers();
    }
    await eventually(
      async () => {
        await makeDue();
        return platform.query('select status from job where id = $1', [id]);
      },
      ([job]) => job.status === 'complete',
    );
  }
});
