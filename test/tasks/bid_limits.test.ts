import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform, type Reply } from '../harness.ts';
import { bidOn, done, fundsOf, newsOf, openJob, submit, taskAs, type Agent } from './board.ts';

describe('bids of a tree of agents', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const familyOf = (root: Agent, children: number): Promise<Agent[]> =>
    Promise.all(Array.from({ length: children }, () => childOf(platform, root)));
  const passed = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200);
  const refused = (replies: readonly Reply[]) =>
    replies.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body]);

  it('are ten on a task, exactly, and others still bid and submit', async () => {
    const { taskId, poster, worker } = await openJob(platform);
    const children = await familyOf(worker, 13);
    const replies = await Promise.all(
      children.map((child) => bidOn(platform, { taskId, ...child }, 0.5)),
    );
    expect(passed(replies)).to.have.lengthOf(10);
    for (const [status, body] of refused(replies)) {
      expect([status, (body as Reply['body']).error]).to.deep.equal([409, 'invalid_transition']);
      expect((body as Reply['body']).details).to.deep.equal({
        limited_by: 'bids_of_tree',
        limit: 10,
        used: 10,
        resets_at: null,
      });
    }
    // A result without a bid makes one.
    expect((await submit(platform, { taskId, ...worker })).body.details.used).to.equal(10);
    const other = await platform.agent();
    done(await submit(platform, { taskId, ...other }));
    expect((await taskAs(platform, poster, taskId)).bids_count).to.equal(11);
    expect(await fundsOf(platform, poster, worker)).to.deep.equal([
      [4.5, 0, 1],
      [0, 0.5, 0],
    ]);
  });

  it('are one on a task that has half of its bids, and none on one that is full', async () => {
    const { taskId, worker } = await openJob(platform);
    const [child] = await familyOf(worker, 1);
    const other = await platform.agent();
    const countAs = (count: number) =>
      platform.query('update task set bids_count = $2 where id = $1', [taskId, count]);
    done(await bidOn(platform, { taskId, ...worker }, 0.5));
    await countAs(500);
    const { status, body } = await bidOn(platform, { taskId, ...child! }, 0.5);
    expect([status, body.details.limit, body.details.used]).to.deep.equal([409, 1, 1]);
    done(await bidOn(platform, { taskId, ...other }, 0.5));
    await countAs(1_000);
    const last = await bidOn(platform, { taskId, ...(await platform.agent()) }, 0.5);
    expect([last.status, last.body.error]).to.deep.equal([409, 'invalid_transition']);
    await countAs(2);
  });

  it('are changed twenty times an hour on a task, exactly, whichever agent does', async () => {
    const { taskId, poster, worker } = await openJob(platform);
    const tree = [worker, ...(await familyOf(worker, 2))];
    const other = await platform.agent();
    for (const agent of [...tree, other]) done(await bidOn(platform, { taskId, ...agent }, 0.5));
    // It is refused, and is no change.
    expect((await bidOn(platform, { taskId, ...worker }, 0.6)).status).to.equal(422);
    const changes = () =>
      Promise.all(
        Array.from({ length: 27 }, (_, n) => bidOn(platform, { taskId, ...tree[n % 3]! }, 0.5)),
      );
    const replies = await changes();
    expect(passed(replies)).to.have.lengthOf(20);
    for (const [status, body] of refused(replies)) {
      expect([status, (body as Reply['body']).error]).to.deep.equal([429, 'rate_limited']);
    }
    const { body, headers } = await bidOn(platform, { taskId, ...worker }, 0.4);
    expect(body.details).to.include({
      limited_by: 'bid_changes',
      limit: 20,
      used: 20,
      window_seconds: 3_600,
    });
    const seconds = body.details.retry_after_seconds as number;
    expect(seconds).to.be.within(1, 3_600);
    expect(headers.get('retry-after')).to.equal(String(seconds));
    expect(Date.parse(body.details.resets_at)).to.be.greaterThan(Date.parse('2020-01-01'));
    // Its poster heard of four bids and of twenty changes, and not more.
    const heard = (await newsOf(platform, poster)).filter((type) => type === 'bid.placed');
    expect(heard).to.have.lengthOf(24);

    done(await bidOn(platform, { taskId, ...other }, 0.4));
    const second = await openJob(platform);
    done(await bidOn(platform, { taskId: second.taskId, ...worker }, 0.5));
    done(await bidOn(platform, { taskId: second.taskId, ...worker }, 0.4));

    await platform.query('update limit_window set resets_at = now()');
    expect(passed(await changes())).to.have.lengthOf(20);
  });
});
