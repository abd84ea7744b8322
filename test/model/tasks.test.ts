// test:all: long random histories of a rule that the tests of its domain decide.
import { expect } from 'chai';
import fc from 'fast-check';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { OPERATOR_TOKEN, walletsOf } from '../orders/deal.ts';
import { runTimer } from '../orders/trade.ts';
import { act, bidOn, fallDue, post, submit, taskAs } from '../tasks/board.ts';
import { drawUntilAllHappened, ROUNDS_MAX } from './rounds.ts';
import { exitsOf, expectCode } from './task_exits.ts';
import * as model from './work.ts';
import type { Assignment, Member } from './work.ts';

/** `MODEL_RUNS=100 npm test -- test/model/tasks.test.ts` makes more runs. */
const RUNS = Number(process.env.MODEL_RUNS ?? 12);
const STEPS = 45;
const MEMBERS = 3;

/** The results '"abc"' and '"abd"' do and do not pass these. */
const CHECKS = [
  {
    verification_type: 'hash',
    expected_hash: '6cc43f858fbb763301637b5af970e2a46b46f461f27e5a0f41e009c59b827b25',
  },
  { verification_type: 'json_schema', json_schema: { pattern: '^(a+)+bc$' } },
  { verification_type: 'assertions', assertions: [{ op: 'equals', value: 'abc', path: '' }] },
] as const;

const ACTIONS = [
  'post',
  'bid',
  'accept',
  'submit',
  'approve',
  'reject',
  'revision',
  'dispute',
  'decide',
  'cancel',
  'withdraw',
  'give_back',
  'replace',
  'wait',
] as const;
type Action = (typeof ACTIONS)[number];

/** Possible actions on a task in each status: most steps do one of these. */
const LIKELY: Readonly<Record<string, readonly Action[]>> = {
  open: [
    ...([
      'bid',
      'bid',
      'accept',
      'accept',
      'accept',
      'submit',
      'approve',
      'cancel',
      'wait',
    ] as const),
    ...(['withdraw', 'reject'] as const),
  ],
  assigned: ['submit', 'submit', 'submit', 'submit', 'give_back', 'replace', 'wait'],
  submitted: ['approve', 'reject', 'reject', 'reject', 'revision', 'revision', 'wait'],
  revision_requested: ['submit', 'submit', 'give_back', 'replace', 'wait'],
  rejected: ['dispute', 'dispute', 'wait'],
  disputed: ['decide'],
};

const Step = fc.record({
  action: fc.option(fc.constantFrom(...ACTIONS), { freq: 3 }),
  task: fc.nat(1000),
  by: fc.oneof({ weight: 3, arbitrary: fc.constant(-1) }, fc.nat(MEMBERS - 1)),
  other: fc.nat(1000),
  cents: fc.integer({ min: 1, max: 60 }),
  flag: fc.boolean(),
});
type Step = typeof Step extends fc.Arbitrary<infer T> ? T : never;

describe('tasks', () => {
  let platform: TestPlatform;
  const seen = new Set<string>();
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  it('do what the model says, whatever sequence of calls their parties make', async function () {
    this.timeout(ROUNDS_MAX * RUNS * 30_000);
    const Steps = fc.array(Step, { minLength: STEPS, maxLength: STEPS });
    const property = fc.asyncProperty(Steps, run);
    await drawUntilAllHappened(
      () => (seen.size > 5 ? [] : [`more statuses than ${[...seen].join()}`]),
      () => fc.assert(property, { numRuns: RUNS, endOnFailure: true }),
    );
  });

  async function run(steps: readonly Step[]): Promise<void> {
    const agents = Array.from({ length: MEMBERS }, () => platform.agent({ usd: 1 }));
    const members = (await Promise.all(agents)).map(({ id, key }) => ({
      id,
      key,
      credit: 50,
      cash: 100,
    }));
    const tasks: Assignment[] = [];
    for (const step of steps) {
      await take(step, members, tasks);
      for (const { status } of tasks) seen.add(status);
    }
    for (const task of tasks) {
      const { status, worker_id } = await taskAs(platform, members[0]!, task.id);
      expect([status, worker_id]).to.deep.equal([task.status, task.worker?.id ?? null]);
    }
    const wallets = await walletsOf(platform, ...members);
    expect(wallets.map(({ cash, credit }) => [cash, credit])).to.deep.equal(
      members.map(({ cash, credit }) => [cash / 100, credit / 100]),
    );
    expect(await audit(platform.context.database)).to.deep.equal([]);
  }

  async function take(step: Step, members: Member[], tasks: Assignment[]): Promise<void> {
    const open = tasks.filter(({ status }) => status in LIKELY);
    const from = open.length > 0 && step.flag ? open : tasks;
    const task = from.length > 0 ? from[step.task % from.length]! : undefined;
    const likely = task ? (LIKELY[task.status] ?? ['post' as const]) : (['post'] as const);
    const action = step.action ?? likely[step.other % likely.length]!;
    if (action === 'post' || !task) return postTask(step, members, tasks);
    const worker = task.worker ?? members[step.other % MEMBERS]!;
    const isWorkers = ['bid', 'submit', 'dispute', 'withdraw', 'give_back'].includes(action);
    const by = step.by >= 0 ? members[step.by]! : isWorkers ? worker : task.poster;
    await { ...STEP, ...exitsOf(platform) }[action](task, by, step);
  }

  async function postTask({ by, cents, flag }: Step, members: Member[], tasks: Assignment[]) {
    const poster = members[Math.max(by, 0)]!;
    const check = flag && cents % 2 === 0 ? CHECKS[cents % 3] : undefined;
    const reply = await post(platform, poster, { budget: cents / 100, ...check });
    const isPoor = poster.credit + poster.cash < cents;
    expectCode(reply, isPoor ? 'insufficient_balance' : undefined);
    if (isPoor) return;
    const checkedBy = check?.verification_type;
    const task = { id: reply.body.task_id, poster, budget: cents, checkedBy };
    const held = model.take(poster, cents);
    const fresh = { status: 'open', worker: undefined, revisions: 0 };
    tasks.push({ ...task, ...fresh, held, bids: new Map(), submissions: new Map() });
  }

  const byPoster = (task: Assignment, { key }: Member, action: string, body: object = {}) =>
    act(platform, action, { taskId: task.id, key }, body);

  const STEP: Record<
    Exclude<Action, 'post' | keyof ReturnType<typeof exitsOf>>,
    (task: Assignment, by: Member, step: Step) => Promise<void>
  > = {
    async bid(task, by, { cents }) {
      const refusal = model.bidRefusal(task, by, cents);
      const reply = await bidOn(platform, { taskId: task.id, key: by.key }, cents / 100);
      expectCode(reply, refusal);
      if (refusal) return;
      const bid = { id: reply.body.bid_id, attempts: task.bids.get(by)?.attempts ?? 0 };
      task.bids.set(by, { ...bid, amount: cents, isWithdrawn: false });
    },
    async accept(task, by, { other }) {
      const bids = [...task.bids];
      if (bids.length === 0) return;
      const [bidder, { id, isWithdrawn }] = bids[other % bids.length]!;
      const refusal = model.refusalOf(task, by, isWithdrawn ? '' : 'open');
      expectCode(await byPoster(task, by, `bids/${id}/accept`), refusal);
      if (!refusal) Object.assign(task, { status: 'assigned', worker: bidder });
    },
    async submit(task, by, { flag }) {
      const refusal = model.submitRefusal(task, by, flag);
      const result = flag ? '"abc"' : '"abd"';
      const reply = await submit(platform, { taskId: task.id, key: by.key }, result);
      expectCode(reply, refusal);
      if (refusal && !model.isMismatch(refusal)) return;
      if (!task.bids.has(by)) {
        const [bid] = await platform.query(
          'select id::int from bid where task_id = $1 and bidder_id = $2',
          [task.id, by.id],
        );
        task.bids.set(by, { id: bid.id, amount: task.budget, attempts: 0, isWithdrawn: false });
      }
      task.bids.get(by)!.isWithdrawn = false;
      if (refusal) task.bids.get(by)!.attempts += 1;
      else if (task.checkedBy) approve(task, by);
      else {
        task.submissions.set(by, reply.body.submission_id);
        if (task.status !== 'open') task.status = 'submitted';
      }
    },
    async approve(task, by, { other, flag }) {
      const live = task.status === 'submitted' ? [task.worker!] : [...task.submissions.keys()];
      const chosen = live[other % live.length];
      const names = flag && chosen !== undefined;
      const refusal = model.approveRefusal(task, by, names);
      const body = names ? { submission_id: task.submissions.get(chosen) } : {};
      expectCode(await byPoster(task, by, 'approve', body), refusal);
      if (!refusal) approve(task, chosen!);
    },
    async revision(task, by) {
      const isOver = task.revisions === 2 ? 'invalid_transition' : undefined;
      const refusal = model.refusalOf(task, by, 'submitted') ?? isOver;
      expectCode(await byPoster(task, by, 'revision', { note: 'More.' }), refusal);
      if (!refusal)
        Object.assign(task, { status: 'revision_requested', revisions: task.revisions + 1 });
    },
    async dispute(task, by) {
      const isOver = task.status === 'rejected' ? undefined : 'invalid_transition';
      const refusal = by === task.worker ? isOver : 'forbidden';
      expectCode(await byPoster(task, by, 'dispute', { reason: 'Yes.' }), refusal);
      if (!refusal) task.status = 'disputed';
    },
    async decide(task, _by, { other, cents }) {
      const isDisputed = task.status === 'disputed';
      const most = task.worker ? model.bidOf(task) : 0;
      const paid = [most, 0, Math.min(cents, most - 1)][other % 3]!;
      const verdict = paid === most && most > 0 ? 'approve' : paid > 0 ? 'split' : 'refund';
      const amount = verdict === 'split' && { worker_amount: paid / 100 };
      const reply = await platform.request(`POST /api/v1/admin/disputes/task/${task.id}/verdict`, {
        key: OPERATOR_TOKEN,
        body: { verdict, ...amount, note: 'So.' },
      });
      expectCode(reply, isDisputed ? undefined : 'invalid_transition');
      if (!isDisputed) return;
      const statuses = { approve: 'approved', split: 'partially_refunded', refund: 'refunded' };
      model.end(task, statuses[verdict], paid);
    },
    async wait(task) {
      await fallDue(platform, task.id);
      await runTimer(platform, 'settle_due_tasks');
      model.fallDue(task);
    },
  };

  function approve(task: Assignment, worker: Member): void {
    task.worker = worker;
    model.end(task, 'approved', model.bidOf(task));
  }
});
