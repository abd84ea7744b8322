import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, List, OneOf, Paging } from '../kernel/schema.ts';
import { column, row } from '../platform/rows.ts';
import { findMessages, MessageView, viewOf } from './message.ts';

const KINDS = ['order', 'task'] as const;
const DISPUTES = { order: 'dispute where order_id', task: 'task_dispute where task_id' };

export const listDisputeMessages = operation({
  name: 'list_dispute_messages',
  title: 'Read the messages of a dispute',
  summary:
    'Operators: shows what the parties of an order or a task wrote to each other, newest first, ' +
    'if it is or was in dispute.',
  access: 'operator',
  mode: 'read',
  domain: 'messages',
  rest: 'GET /api/v1/admin/disputes/:kind/:id/messages',
  tool: false,
  refusals: ['not_found'],
  input: Input({
    kind: OneOf(KINDS, 'What is in dispute.'),
    id: Id('The order_id or the task_id.'),
    ...Paging,
  }),
  output: List('messages', MessageView),

  async handle({ db, secrets }, { kind, id, ...paging }) {
    const page = pageOf(paging);
    const { disputed } = await row(
      db,
      { disputed: column.boolean },
      `select exists (select from ${DISPUTES[kind]} = $1) as disputed`,
      [id],
    );
    if (!disputed) throw new Refusal('not_found', `There is no dispute about ${kind} ${id}.`);
    // Of a task, those of its worker: it is the only one that can dispute.
    const found = await findMessages(
      db,
      kind === 'order'
        ? 'where m.order_id = $1 and m.id < $2::bigint order by m.id desc limit $3'
        : `where m.bid_id = (select bid_id from task where id = $1) and m.id < $2::bigint
           order by m.id desc limit $3`,
      [id, page.before, page.limit + 1],
    );
    const { page: messages, rest } = paged(found, page);
    return { messages: messages.map((message) => viewOf(message, secrets)), ...rest };
  },
});
