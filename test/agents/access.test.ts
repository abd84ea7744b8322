import { expect } from 'chai';

import { openWaiters, type Waiters } from '../../shared/jobs/waiters.ts';
import { catalog } from '../../shared/composition/catalog.ts';
import type { Invoke } from '../../shared/kernel/call.ts';
import { openInvoke } from '../../shared/composition/invoke/invoke.ts';
import { operation, type AnyOperation } from '../../shared/kernel/operation.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { Id, Input, Output } from '../../shared/kernel/schema.ts';
import { TestPlatform } from '../harness.ts';
import { childOf } from './child.ts';

/** Effects of the operations, by mode. */
const effects: string[] = [];

const frame = {
  title: 'A test',
  summary: 'A test.',
  access: 'owner',
  owners: { ownerOf: 'agent_id' },
  domain: 'agents',
  input: Input({ agent_id: Id('The agent that is acted on.') }),
  output: Output({ agent_id: Id('The agent that was acted on.') }),
  async handle({ caller }: { caller: { agentId: number } }, input: { agent_id: number }) {
    effects.push(`handle by ${caller.agentId} of ${input.agent_id}`);
    return input;
  },
} as const;

const OPERATIONS = {
  read: operation({ ...frame, name: 'owned_read', mode: 'read' }),
  write: operation({ ...frame, name: 'owned_write', mode: 'write' }),
  job: operation({ ...frame, name: 'owned_job', mode: 'job', queue: 'money' }),
  gatherer: operation({
    ...frame,
    name: 'owned_gatherer',
    mode: 'write',
    gather: async () => void effects.push('gather'),
  }),
};

describe('an operation of an owner on one agent', () => {
  let platform: TestPlatform;
  let waiters: Waiters;
  let invoke: Invoke;
  let root: { id: number; key: string };
  let child: { id: number; key: string };
  let sibling: { id: number; key: string };
  let grandchild: { id: number; key: string };
  let other: { id: number; key: string };
  const known = catalog as Map<string, AnyOperation>;

  before(async () => {
    for (const op of Object.values(OPERATIONS)) known.set(op.name, op);
    platform = await TestPlatform.open();
    const { database, config, log } = platform.context;
    waiters = openWaiters(database, config.redisUrl, log);
    invoke = openInvoke(platform.context, waiters);
    [root, other] = [await platform.agent(), await platform.agent()];
    child = await childOf(platform, root);
    sibling = await childOf(platform, root);
    grandchild = await childOf(platform, child);
  });
  beforeEach(() => (effects.length = 0));
  after(async () => {
    for (const op of Object.values(OPERATIONS)) known.delete(op.name);
    waiters.close();
    await platform.close();
  });

  /** The status of the answer, or the code of the refusal. */
  const send = async (op: AnyOperation, token: string, agent_id: unknown) => {
    try {
      const read = () => ({ input: { agent_id }, key: undefined, waitMs: 20_000 });
      const call = { token, read, dropUnknown: false, requestId: 'test' };
      const { status, body } = await invoke(op, call);
      return status === 200 ? 200 : (JSON.parse(body) as { error: string }).error;
    } catch (error) {
      if (error instanceof Refusal) return error.code;
      throw error;
    }
  };

  for (const [mode, op] of Object.entries(OPERATIONS)) {
    it(`is done for a root, an ancestor and nobody else: ${mode}`, async () => {
      const cases = [
        [root, root, 200],
        [root, child, 200],
        [root, grandchild, 200],
        [child, grandchild, 200],
        [child, child, 'forbidden'],
        [child, sibling, 'not_found'],
        [child, root, 'not_found'],
        [grandchild, child, 'not_found'],
        [grandchild, grandchild, 'forbidden'],
        [root, other, 'not_found'],
        [other, root, 'not_found'],
        [child, other, 'not_found'],
        [root, { id: 2_147_483_647 }, 'not_found'],
      ] as const;
      for (const [n, [caller, agent, expected]] of cases.entries()) {
        effects.length = 0;
        expect(await send(op, caller.key, agent.id), `case ${n}`).to.equal(expected);
        const gathered = op === OPERATIONS.gatherer ? ['gather'] : [];
        const handled = [...gathered, `handle by ${caller.id} of ${agent.id}`];
        expect(effects, `case ${n}`).to.deep.equal(expected === 200 ? handled : []);
      }
    });
  }

  it('needs a key that holds all three scopes', async () => {
    const key = await platform.keyOf(root, ['read', 'buy']);
    expect(await send(OPERATIONS.write, key, child.id)).to.equal('insufficient_scope');
  });

  it('refuses an input without the agent before it looks for one', async () => {
    expect(await send(OPERATIONS.write, root.key, undefined)).to.equal('validation_error');
  });
});
