import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Input, List, OneOf, Paging } from '../../kernel/schema.ts';
import { column, row } from '../../platform/rows.ts';
import { DISPUTE_KINDS, DisputedId } from '../deals/disputed.ts';
import { findMessages, MessageView, viewOf } from './message.ts';

/** Objects that can be in dispute, and their messages. Claims: if operators were appealed to. */
const DISPUTES = {
  order: { disputed: 'from dispute where order_id = $1', about: 'm.order_id = $1' },
  task: {
    disputed: 'from task_dispute where task_id = $1',
    // The conversation with the worker: nobody else can dispute.
    about: 'm.bid_id = (select bid_id from task where id = $1)',
  },
  labor: {
    disputed: `from labor_claim where id = $1 and (judged_by = 'operator'
                 or status = 'appealed' and judged_by = 'poster')`,
    about: 'm.claim_id = $1',
  },
};

export const listDisputeMessages = operation({
  name: 'list_dispute_messages',
  title: 'Read the messages of a dispute',
  summary:
    'Operators: lists the messages between the parties of an order, a task or a labor claim ' +
    'that is or was in dispute, newest first.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/disputes/:kind/:id/messages',
  bindings: { tool: false },
  refusals: ['not_found'],
  input: Input({
    kind: OneOf(DISPUTE_KINDS, 'Kind of object in dispute.'),
    id: DisputedId,
    ...Paging,
  }),
  output: List('messages', MessageView),

  async handle({ db, secrets }, { kind, id, ...paging }) {
    const page = pageOf(paging);
    const { disputed } = await row(
      db,
      { disputed: column.boolean },
      `select exists (select ${DISPUTES[kind].disputed}) as disputed`,
      [id],
    );
    if (!disputed) throw new Refusal('not_found', `There is no dispute about ${kind} ${id}.`);
    const found = await findMessages(
      db,
      `where ${DISPUTES[kind].about} and m.id < $2::bigint order by m.id desc limit $3`,
      [id, page.before, page.limit + 1],
    );
    const { page: messages, rest } = paged(found, page, 'message_id');
    return { messages: messages.map((message) => viewOf(message, secrets)), ...rest };
  },
});
