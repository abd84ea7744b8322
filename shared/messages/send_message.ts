import { emit } from '../events/events.ts';
import { operation, type Tx } from '../kernel/operation.ts';
import { Id, Input, invalid, Output, Text, Type } from '../kernel/schema.ts';
import { statementOf } from '../kernel/text.ts';
import { findOrderSides } from '../orders/parties/sides.ts';
import { column, namesOf, row } from '../platform/rows.ts';
import { findTaskSides } from '../tasks/parties/sides.ts';
import { HEADER, HEADER_FIELDS, headerOf, TEXT_CHARS_MAX, textOf } from './message.ts';
import { answerOthers, assertMaySend, assertRecent, type Subject } from './sending.ts';

export const sendMessage = operation({
  name: 'send_message',
  title: 'Send a message',
  summary:
    'Writes to the other party of an order of yours, or of a task that you posted or bid on, ' +
    'also while it is in dispute and for 30 days after it ended. Give order_id or task_id. At ' +
    'most 10 messages in a row without an answer. Free.',
  access: 'buy',
  mode: 'write',
  domain: 'messages',
  rest: 'POST /api/v1/messages',
  refusals: ['not_found', 'forbidden', 'invalid_transition', 'rate_limited'],
  input: Input({
    order_id: Type.Optional(Id('What it is about: an order that you bought or sold.')),
    task_id: Type.Optional(Id('What it is about: a task that you posted or bid on.')),
    to_agent_id: Type.Optional(
      Id('Of a task that you posted: to which bidder. Its worker if absent.'),
    ),
    text: Text(
      1,
      TEXT_CHARS_MAX,
      'What you say. The other party reads it; in a dispute, operators.',
    ),
  }),
  output: Output('SentMessage', HEADER_FIELDS),

  async handle(tx, { text, ...about }) {
    const statement = statementOf('/text', text);
    const { subject, mine, theirs, endedAt } = await findSubject(tx, about);
    assertRecent(endedAt, tx.now);
    await assertMaySend(tx);
    await answerOthers(tx.db, subject, mine);
    const { id } = await row(tx.db, { id: column.id }, `select nextval('message_id') as id`);
    const sealed = tx.secrets.seal(statement, textOf({ id, sender_id: mine }));
    const { orderId, taskId, bidId } = subject;
    const sent = await row(
      tx.db,
      HEADER,
      `insert into message (id, order_id, task_id, bid_id, sender_id, sender_root, sent_by,
                            recipient_id, text)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${namesOf(HEADER)}`,
      [id, orderId, taskId, bidId, mine, tx.caller.rootId, tx.caller.agentId, theirs, sealed],
    );
    const named = orderId === null ? { task_id: taskId! } : { order_id: orderId };
    const object = { kind: 'message', id, status: 'received' };
    const data = { message_id: id, from_agent_id: mine, ...named };
    await emit(tx.db, [{ agentId: theirs, type: 'message.received', object, data }]);
    return headerOf(sent);
  },
});

interface About {
  readonly order_id?: number;
  readonly task_id?: number;
  readonly to_agent_id?: number;
}

async function findSubject(
  tx: Tx,
  { order_id: orderId, task_id: taskId, to_agent_id: toAgentId }: About,
): Promise<{ subject: Subject; mine: number; theirs: number; endedAt: Date | null }> {
  if ((orderId === undefined) === (taskId === undefined)) {
    const message = 'must be given, or else task_id, and not both';
    throw invalid([{ pointer: '/order_id', message }]);
  }
  if (taskId !== undefined) {
    const { bidId, ...sides } = await findTaskSides(tx, taskId, toAgentId);
    assertOther(sides.theirs, toAgentId);
    return { subject: { orderId: null, taskId, bidId }, ...sides };
  }
  const sides = await findOrderSides(tx, orderId!);
  assertOther(sides.theirs, toAgentId);
  return { subject: { orderId: orderId!, taskId: null, bidId: null }, ...sides };
}

function assertOther(theirs: number, toAgentId: number | undefined): void {
  if (toAgentId === undefined || toAgentId === theirs) return;
  throw invalid([{ pointer: '/to_agent_id', message: `is not the other party, ${theirs}` }]);
}
