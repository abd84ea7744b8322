import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { runBatch } from '../../workers/run_batch.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { openScene, type Scene, type SpendName } from './scene.ts';

describe('an approved call is performed once', () => {
  let platform: TestPlatform;
  let scene: Scene;
  before(async () => {
    platform = await TestPlatform.open();
    scene = await openScene(platform);
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** Payments for calls of this agent: orders and charges. */
  const paidBy = ({ id }: { id: number }) =>
    platform.query(
      `select job_id from orders where buyer_id = $1
        union all select call_id from charge where agent_id = $1`,
      [id],
    );

  for (const name of ['purchase', 'some proxies', 'an address'] as SpendName[]) {
    it(`though owners decide at once and the call is repeated all the time: ${name}`, async () => {
      const { root, child } = await scene.family();
      const asked = await scene.ask(child, name, { 'idempotency-key': 'one' });
      const repeat = () => scene.spend(name, child, { 'idempotency-key': 'one' });
      const decide = () => scene.decide(root, asked.approval_id, 'approve');
      const [decisions, repeats] = await Promise.all([
        Promise.all(Array.from({ length: 5 }, decide)),
        Promise.all(Array.from({ length: 100 }, repeat)),
      ]);
      for (const { status, body } of decisions) {
        expect([status, body.status]).to.deep.equal([200, 'approved']);
      }
      const job = await scene.ended(asked, child);
      for (const { status, body } of [...repeats, await repeat()]) {
        // A call that came while it was performed may have waited for too long.
        if (body.status === 'pending') expect(body.poll).to.equal(asked.poll);
        else expect(body).to.deep.equal(status === 200 ? job.result : asked);
      }
      expect(await paidBy(child)).to.have.length(1);
    });
  }

  it('though one owner approves and another denies at once', async () => {
    const { root, child } = await scene.family();
    for (let round = 0; round < 5; round += 1) {
      const asked = await scene.ask(child);
      const decisions = await Promise.all(
        (['approve', 'deny', 'cancel'] as const).map((decision) =>
          scene.decide(decision === 'cancel' ? child : root, asked.approval_id, decision),
        ),
      );
      const done = decisions.filter(({ status }) => status === 200);
      expect(done).to.have.length(1);
      const others = decisions.filter((one) => one !== done[0]);
      expect(others.map(({ body }) => body.error)).to.deep.equal(
        Array(2).fill('invalid_transition'),
      );
      const job = await scene.ended(asked, child);
      const isApproved = done[0]!.body.status === 'approved';
      expect(job.status).to.equal(isApproved ? 'complete' : 'failed');
      const paid = await paidBy(child);
      expect(paid.some(({ job_id }: { job_id: string }) => job_id === job.job_id)).to.equal(
        isApproved,
      );
    }
  });

  it('though many equal calls ask at once: they wait as one', async () => {
    const { root, child } = await scene.family();
    const replies = await Promise.all(Array.from({ length: 20 }, () => scene.ask(child)));
    expect(new Set(replies.map(({ approval_id }) => approval_id)).size).to.equal(1);
    await scene.decide(root, replies[0]!.approval_id, 'approve');
    await scene.ended(replies[0]!, child);
    expect(await paidBy(child)).to.have.length(1);
  });

  it('and its event says who decided; one whose time is over offers no decision', async () => {
    const { root, child } = await scene.family();
    const [asked, late] = [await scene.ask(child), await scene.ask(child, 'some proxies')];
    await scene.decide(root, asked.approval_id, 'approve');
    await platform.query(`update approval set expires_at = now() where id = $1`, [
      late.approval_id,
    ]);
    for (const agent of [root, child]) {
      const listed = await scene.list(agent, '?status=pending');
      const [{ approval_id, available_actions }] = listed as [(typeof listed)[0]];
      expect([approval_id, available_actions]).to.deep.equal([late.approval_id, []]);
    }
    await runTimer(platform, 'expire_approvals');
    const told: { type: string; by: number | null }[] = await platform.query(
      `select type, (data ->> 'decided_by')::int as by from event
        where agent_id = $1 and type in ('approval.approved', 'approval.expired') order by id`,
      [child.id],
    );
    expect(told).to.deep.equal([
      { type: 'approval.approved', by: root.id },
      { type: 'approval.expired', by: null },
    ]);
  });

  it('though it was approved before: an equal call, or that of another agent, asks anew', async () => {
    const { root, child } = await scene.family();
    const other = await childOf(platform, root);
    await scene.set(root, other, { approval_threshold: 0 });
    const [first, theirs] = [await scene.ask(child), await scene.ask(other)];
    expect(theirs.approval_id).not.to.equal(first.approval_id);
    await scene.decide(root, first.approval_id, 'approve');
    await scene.ended(first, child);
    expect((await scene.ask(child)).approval_id).not.to.equal(first.approval_id);
    expect(await paidBy(child)).to.have.length(1);
    expect(await paidBy(other)).to.deep.equal([]);
  });

  it('though a copy of the call is in the queue, and the policy has changed: not before', async () => {
    const { root, child } = await scene.family();
    const asked = await scene.ask(child);
    const id = asked.poll.split('/').pop()!;
    await scene.set(root, child, { approval_threshold: null });
    const batch = { queue: 'money', operation: 'purchase_product', ids: [id] };
    const [answer] = await runBatch(platform.context, batch);
    expect(answer).to.deep.include({ status: 'pending', httpStatus: 202 });
    expect(await paidBy(child)).to.deep.equal([]);
    await scene.decide(root, asked.approval_id, 'approve');
    await scene.ended(asked, child);
    expect(await paidBy(child)).to.have.length(1);
  });
});
