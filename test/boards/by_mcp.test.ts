import { createHash } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { connectByMcp, type McpAgent } from '../api/mcp/mcp_agent.ts';

describe('agents that have only the tools of MCP', () => {
  let platform: TestPlatform;
  const agents: McpAgent[] = [];
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    await Promise.all(agents.map((agent) => agent.close()));
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const connect = async (key?: string) => {
    const agent = await connectByMcp(platform.url, key);
    agents.push(agent);
    return agent;
  };

  /** Without a key it registers, and connects again with the key that it got. */
  async function newcomer(username: string): Promise<McpAgent> {
    const account = { username, email: `${username}@example.com`, password: 'correct horse' };
    const { api_key } = await (await connect()).call('register_agent', account);
    return connect(api_key.key);
  }

  const kindsOf = async (agent: McpAgent) =>
    (await agent.call('inbox')).counts.map(({ kind }: { kind: string }) => kind);

  it('do a task that a hash decides: it is paid as soon as the right result is submitted', async () => {
    const [ada, ben] = [await newcomer('ada'), await newcomer('ben')];
    const answer = 'Marianne North';
    const posted = await ada.call('task_post', {
      title: 'Who painted 833 plants at Kew?',
      description: 'First name and surname.',
      category: 'research',
      budget: 0.2,
      verification_type: 'hash',
      expected_hash: createHash('sha256').update(answer).digest('hex'),
    });
    expect(posted).to.include({ status: 'open', role: 'poster' });
    expect(await ada.call('get_wallet')).to.include({ balance: 0.3, in_escrow: 0.2 });

    const { tasks } = await ben.call('task_browse', { category: 'research', query: 'plants' });
    const [task] = tasks;
    expect(task.available_actions).to.include('task_submit');
    expect(task.next).to.match(/paid at once/);
    const wrong = { task_id: task.task_id, result: 'Marianne' };
    const { error, details } = await ben.refused('task_submit', wrong);
    expect([error, details.attempts_left]).to.deep.equal(['hash_mismatch', 4]);
    const right = await ben.call('task_submit', { task_id: task.task_id, result: answer });
    expect(right).to.include({ status: 'approved', paid: 0.2 });

    expect(await ben.call('get_wallet')).to.include({ balance: 0.7 });
    expect(await ada.call('get_wallet')).to.include({ balance: 0.3, in_escrow: 0 });
    const [done] = (await ada.call('task_mine')).tasks;
    expect(done).to.include({ status: 'approved', paid: 0.2, next: null });
    expect(done.submissions[0].result.content).to.equal(answer);
    expect(await kindsOf(ben)).to.deep.equal([]);
  });

  it('do a task that its poster judges: bid, accept, submit, approve', async () => {
    const [ada, ben] = [await newcomer('ada-2'), await newcomer('ben-2')];
    const { task_id } = await ada.call('task_post', { title: 'Name three seas', budget: 0.2 });
    await ben.call('task_bid', { task_id, bid_amount: 0.1 });
    const [item] = (await ada.call('inbox')).inbox;
    expect(item).to.include({ kind: 'bids_to_judge', id: task_id });
    const accept = item.calls.find(({ tool }: { tool: string }) => tool === 'task_accept_bid');
    await ada.call(accept.tool, accept.arguments);

    const [order] = (await ben.call('inbox')).inbox;
    expect(order.kind).to.equal('work_to_submit');
    const [, submit] = order.calls;
    expect(submit).to.deep.include({ tool: 'task_submit', needs: ['result'] });
    await ben.call(submit.tool, { ...submit.arguments, result: 'Red, Black, North' });

    const [work] = (await ada.call('inbox')).inbox;
    const approve = work.calls.find(({ tool }: { tool: string }) => tool === 'task_approve');
    expect(approve.needs).to.deep.equal([]);
    const approved = await ada.call(approve.tool, approve.arguments);
    expect(approved).to.include({ status: 'approved', paid: 0.1 });
    expect(await ben.call('get_wallet')).to.include({ balance: 0.6 });
    expect(await ada.call('get_wallet')).to.include({ balance: 0.4, in_escrow: 0 });
    for (const agent of [ada, ben]) expect(await kindsOf(agent)).to.deep.equal([]);
  });

  it('do labor of which three agree, and as nobody knows them, its poster decides', async () => {
    const poster = await newcomer('mira');
    const posted = await poster.call('post_labor_task', {
      kind: 'labeling',
      title: 'Cat or dog',
      instructions: 'Answer cat or dog.',
      reward: 0.01,
      verification: 'consensus',
      units: [{ payload: 'It purrs.' }, { payload: 'It barks.' }],
    });
    // Two units of three workers, and two more that may settle a draw.
    expect(posted).to.include({ overlap: 3, max_overlap: 5, budget: 0.1, units_open: 2 });

    const workers = [await newcomer('kim'), await newcomer('lee'), await newcomer('pat')];
    const answers = [
      ['cat', 'dog'],
      ['Cat ', 'cat'],
      ['cat', 'dog'],
    ];
    const told: string[] = [];
    for (const [n, worker] of workers.entries()) {
      const [task] = (await worker.call('list_labor_tasks')).labor_tasks;
      expect(task.available_actions).to.include('take_labor_task');
      for (const submission of answers[n]!) {
        const { claim_id, payload } = await worker.call('take_labor_task', {
          task_id: task.task_id,
        });
        expect(payload.untrusted).to.equal(true);
        const delivery = { task_id: task.task_id, claim_id, submission };
        told.push((await worker.call('deliver_labor_task', delivery)).status);
      }
    }
    expect(told).to.deep.equal(Array(6).fill('verifying'));
    const right = { 'It purrs.': 'cat', 'It barks.': 'dog' };
    for (;;) {
      const [asked] = (await poster.call('inbox')).inbox;
      if (asked?.kind !== 'deliveries_to_judge') break;
      const [look, judge] = asked.calls;
      const waiting = (await poster.call(look.tool, look.arguments)).claims;
      const { payload, submission } = waiting.find(
        ({ claim_id }: { claim_id: number }) => claim_id === judge.arguments.claim_id,
      );
      const isRight =
        right[payload.content as keyof typeof right] === submission.content.trim().toLowerCase();
      const verdict = isRight ? { verdict: 'accept' } : { verdict: 'reject', reason: 'It barks.' };
      await poster.call(judge.tool, { ...judge.arguments, ...verdict });
    }
    const balances = await Promise.all(workers.map((one) => one.call('get_wallet')));
    expect(balances.map(({ balance }) => balance)).to.deep.equal([0.52, 0.51, 0.52]);

    const none = { task_id: posted.task_id };
    const { error, message } = await workers[0]!.refused('take_labor_task', none);
    expect([error, message]).to.deep.equal([
      'invalid_transition',
      `Labor task ${posted.task_id} has no unit for you now. Retry later or take another.`,
    ]);
    const [item] = (await workers[1]!.call('inbox')).inbox;
    expect(item.kind).to.equal('claim_to_appeal');
    const [look, appeal] = item.calls;
    const { claims } = await workers[1]!.call(look.tool, look.arguments);
    const wrong = claims.find(({ status }: { status: string }) => status === 'rejected');
    expect(wrong.reason.content).to.equal('It barks.');
    const reason = 'It barks like a cat.';
    await workers[1]!.call(appeal.tool, { ...appeal.arguments, reason });

    const [left] = (await poster.call('inbox')).inbox;
    expect(left.kind).to.equal('appeals_to_judge');
    const judge = left.calls.at(-1);
    expect(judge.needs).to.deep.equal([]);
    await poster.call(judge.tool, judge.arguments);
    const { jsonl } = await poster.call('labor_results', none);
    expect(jsonl.content).to.contain('"It barks."');
    const ended = await poster.call('get_labor_task', none);
    expect(ended).to.include({ status: 'completed', accepted: 6, paid: 0.06 });
    expect(await poster.call('get_wallet')).to.include({ balance: 0.44, in_escrow: 0 });
  });
});
