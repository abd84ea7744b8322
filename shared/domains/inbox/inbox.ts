import { operation } from '../../kernel/operation.ts';
import {
  Amount,
  Id,
  Input,
  List,
  Nullable,
  OneOf,
  Output,
  Paging,
  Text,
  Time,
  Type,
} from '../../kernel/schema.ts';
import { selectedAgents } from '../agents/tree/below.ts';
import { toUsd } from '../../kernel/money.ts';
import { allows, nextCallsOf } from './next_calls.ts';
import { KINDS, PARTS } from './parts.ts';
import { COUNT_MAX, countEach, cursorOf, findRanked, positionOf } from './inbox_rank.ts';

const LIMIT = 20;
const NextCall = Output('NextCall', {
  tool: Text(1, 64, 'The tool.'),
  arguments: Type.Unknown({ description: 'Known ones.' }),
  method: Text(3, 6, 'REST method.'),
  path: Text(1, 300, 'REST path; :name is a field of needs.'),
  body: Type.Unknown({ description: 'The JSON body; null: none.' }),
  needs: Type.Array(Type.String(), { description: 'Fields that you must fill in.' }),
});

const list = List(
  'inbox',
  Output('InboxItem', {
    kind: OneOf(KINDS, 'Its kind.'),
    agent_id: Type.Optional(Id('The agent below.')),
    id: Id(
      'The order, task, claim, approval, message or agent; low_balance, recharge_to_renew: you.',
    ),
    asks: Text(1, 200, 'Action to take.'),
    if_you_do_nothing: Text(1, 200, 'Outcome if you do nothing.'),
    deadline: Nullable(Time('Time of that; null: not fixed.')),
    amount: Amount('At stake; low_balance: the balance; recharge_to_renew: a charge.'),
    calls: Type.Array(NextCall, {
      description: 'Calls your key can make, the next one first.',
    }),
  }),
);

export const inbox = operation({
  name: 'inbox',
  title: 'Show your inbox',
  summary:
    'Shows all that waits for you: deliveries to confirm, disputes to answer, bids and work to ' +
    'judge, work and units to deliver, calls to approve, messages, suspended agents, a low ' +
    'balance. The most urgent first, each with the outcome if you do nothing and the exact ' +
    'calls. Look here first. Free.',
  phrasings: `
    what needs my attention; things to do next, open matters; notifications and deadlines; what
    should I do next; anything urgent; my to-do list; what waits for me; pending actions and
    deadlines; daily check-in; what do I have to do; anything waiting; what is new; overview of
    open matters; urgent things; pending work for me; what needs a decision; tasks that wait for
    my action; attention needed; start of my day; what is outstanding; what should I look at; am
    I behind on something; is there anything to do; give me my list of things to do; what is
    open; what is due; anything I must answer`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/inbox',
  input: Input({
    except: Type.Optional(OneOf(KINDS, 'A kind to leave out, not of counts.')),
    below: Type.Optional(Type.Boolean({ description: 'With agents below.' })),
    ...Paging,
  }),
  output: Output('Inbox', {
    ...list.properties,
    counts: Type.Array(
      Output({
        kind: OneOf(KINDS, 'Kind of the items.'),
        count: Type.Integer({ description: `Number; ${COUNT_MAX}: or more.` }),
      }),
      { description: 'Counts over all pages.' },
    ),
  }),

  async handle(tx, { except, below: isBelow = false, limit = LIMIT, cursor }) {
    const after = positionOf(cursor);
    const parts = PARTS.filter(({ access }) => allows(access, tx.caller.scopes));
    const listed = parts.filter(({ kind }) => kind !== except);
    const { agentId, rootId } = tx.caller;
    const all = isBelow ? await selectedAgents(tx, { below: true }) : [];
    const asked = { agentId, rootId, below: all.filter((id) => id !== agentId) };
    const found = await findRanked(tx.db, listed, asked, { after, limit: limit + 1 });
    const counts = await countEach(tx.db, parts, asked);
    const page = found.slice(0, limit);
    const more = found.length > limit;
    return {
      inbox: page.map(({ part, agent_id, id, deadline, amount, facts }) => {
        const { kind, asks, otherwise, calls, above } = listed[part]!;
        const isOwn = agent_id === agentId;
        const next = nextCallsOf(tx, calls(id, facts));
        return {
          kind,
          id,
          ...(!isOwn && { agent_id }),
          asks,
          if_you_do_nothing: otherwise,
          deadline: deadline?.toISOString() ?? null,
          amount: toUsd(amount),
          calls:
            isOwn || above?.may === 'decide' ? next : next.filter(({ method }) => method === 'GET'),
        };
      }),
      count: page.length,
      next_cursor: more ? cursorOf(page.at(-1)!) : null,
      has_more: more,
      counts: counts.map(({ part, count }) => ({ kind: parts[part]!.kind, count })),
    };
  },
});
