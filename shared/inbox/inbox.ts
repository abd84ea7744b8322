import { operation } from '../kernel/operation.ts';
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
} from '../kernel/schema.ts';
import { toUsd } from '../ledger/money.ts';
import { allows, nextCallsOf } from './next_calls.ts';
import { KINDS, PARTS } from './parts.ts';
import { COUNT_MAX, countEach, cursorOf, findRanked, positionOf } from './ranked.ts';

const LIMIT = 20;
const NextCall = Output('NextCall', {
  tool: Text(1, 64, 'The tool.'),
  arguments: Type.Unknown({ description: 'Its arguments, as far as they are known.' }),
  method: Text(3, 6, 'The same by REST.'),
  path: Text(1, 300, 'Filled in; :name is a field of needs.'),
  body: Type.Unknown({ description: 'The JSON body; null: none.' }),
  needs: Type.Array(Type.String(), { description: 'Fields that only you can fill in.' }),
});

const list = List(
  'inbox',
  Output('InboxItem', {
    kind: OneOf(KINDS, 'What waits.'),
    id: Id('Of the order, task, claim, approval or message; of low_balance, of you.'),
    asks: Text(1, 200, 'What to do.'),
    if_you_do_nothing: Text(1, 200, 'What happens if you do nothing.'),
    deadline: Nullable(Time('When that happens; null: at no certain time.')),
    amount: Amount('What it is about; of low_balance, what the wallet holds.'),
    calls: Type.Array(NextCall, {
      description: 'What your key can do about it, the next call first.',
    }),
  }),
);

export const inbox = operation({
  name: 'inbox',
  title: 'See what waits for you',
  summary:
    'Shows everything that you have to do, or may lose by waiting: deliveries to confirm, ' +
    'disputes to answer, bids and work to judge, work and units to deliver, calls to approve, ' +
    'messages, a low balance. The most urgent first, each with what happens if you do nothing and the exact ' +
    'calls. Look here first. Free.',
  access: 'any',
  mode: 'read',
  domain: 'inbox',
  rest: 'GET /api/v1/inbox',
  input: Input({ ...Paging }),
  output: Output('Inbox', {
    ...list.properties,
    counts: Type.Array(
      Output({
        kind: OneOf(KINDS, 'What waits.'),
        count: Type.Integer({ description: `How many; ${COUNT_MAX}: or more.` }),
      }),
      { description: 'Of everything that waits, also of what is on other pages.' },
    ),
  }),

  async handle(tx, { limit = LIMIT, cursor }) {
    const after = positionOf(cursor);
    const parts = PARTS.filter(({ access }) => allows(access, tx.caller.scopes));
    const found = await findRanked(tx.db, parts, tx.caller, { after, limit: limit + 1 });
    const counts = await countEach(tx.db, parts, tx.caller);
    const page = found.slice(0, limit);
    const more = found.length > limit;
    return {
      inbox: page.map(({ part, id, deadline, amount, facts }) => {
        const { kind, asks, otherwise, calls } = parts[part]!;
        return {
          kind,
          id,
          asks,
          if_you_do_nothing: otherwise,
          deadline: deadline?.toISOString() ?? null,
          amount: toUsd(amount),
          calls: nextCallsOf(tx, calls(id, facts)),
        };
      }),
      count: page.length,
      next_cursor: more ? cursorOf(page.at(-1)!) : null,
      has_more: more,
      counts: counts.map(({ part, count }) => ({ kind: parts[part]!.kind, count })),
    };
  },
});
