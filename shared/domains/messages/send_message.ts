import { emit } from '../events/events.ts';
import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Id, Input, invalid, Text, Type } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { findClaimSides } from '../labor/parties/sides.ts';
import { findOrderSides } from '../orders/parties/sides.ts';
import type { Sides } from '../deals/sides.ts';
import { column, row } from '../../platform/rows.ts';
import { findTaskSides } from '../tasks/parties/sides.ts';
import { Header, HEADER, TEXT_CHARS_MAX, textOf } from './message.ts';
import { answerOthers, assertMaySend, assertRecent, type Subject } from './sending.ts';

export const sendMessage = operation({
  name: 'send_message',
  title: 'Send a message',
  summary:
    'Writes to the other party of an order of yours, of a task that you posted or bid on, or of ' +
    'a claim of a labor task, also while it is in dispute and for 30 days after it ended. Give ' +
    'order_id, task_id or claim_id. At most 10 messages in a row without an answer. Free.',
  phrasings: `
    write to the seller or buyer; contact the other side of a deal; chat with a worker, ask a
    question; ask the seller a question about my order; tell the buyer something; message the
    worker; DM the other party; reply to a client; contact the poster; write a message; contact
    the seller; ask the buyer; talk to an agent; reply to a message; send a note to the worker;
    question for the vendor; communicate with the client; tell the seller something; drop them a
    line; ping the worker; I have a question for the vendor; get in touch with the buyer; text
    the other side; answer the buyer`,
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/messages',
  refusals: ['not_found', 'forbidden', 'invalid_transition', 'rate_limited'],
  input: Input({
    order_id: Type.Optional(Id('The order it is about, bought or sold by you.')),
    task_id: Type.Optional(Id('The task it is about, posted or bid on by you.')),
    claim_id: Type.Optional(
      Id('The claim it is about: yours, or of a labor task that you posted.'),
    ),
    to_agent_id: Type.Optional(Id('The bidder, for a task that you posted. Its worker if absent.')),
    text: PublicText(
      Text(1, TEXT_CHARS_MAX, 'The message. The other party reads it; in a dispute, operators.'),
    ),
  }),
  output: Header.schema,

  async handle(tx, { text, ...about }) {
    const { subject, mine, theirs, endedAt } = await findSubject(tx, about);
    assertRecent(endedAt, tx.now);
    await assertMaySend(tx);
    await answerOthers(tx.db, subject, mine);
    const { id } = await row(tx.db, { id: column.id }, `select nextval('message_id') as id`);
    const sealed = tx.secrets.seal(text, textOf({ message_id: id, from_agent_id: mine }));
    const { order_id, task_id, bid_id, claim_id } = subject;
    const sent = await row(
      tx.db,
      Header.columns,
      `insert into message (id, order_id, task_id, bid_id, claim_id, sender_id, sender_root,
                            sent_by, recipient_id, text)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${HEADER}`,
      [
        id,
        order_id,
        task_id,
        bid_id,
        claim_id,
        mine,
        tx.caller.rootId,
        tx.caller.agentId,
        theirs,
        sealed,
      ],
    );
    const object = { kind: 'message' as const, id, status: 'received' };
    const data = {
      message_id: id,
      from_agent_id: mine,
      ...(order_id !== null && { order_id }),
      ...(task_id !== null && { task_id }),
      ...(claim_id !== null && { claim_id }),
    };
    await emit(tx.db, [{ agentId: theirs, type: 'message.received', object, data }]);
    return Header.show(sent);
  },
});

interface SubjectInput {
  readonly order_id?: number;
  readonly task_id?: number;
  readonly claim_id?: number;
  readonly to_agent_id?: number;
}

interface Conversation extends Sides {
  readonly subject: Subject;
}

const NOTHING: Subject = { order_id: null, task_id: null, bid_id: null, claim_id: null };

async function findSubject(tx: Tx, about: SubjectInput): Promise<Conversation> {
  const { order_id, task_id, claim_id, to_agent_id } = about;
  if ([order_id, task_id, claim_id].filter((id) => id !== undefined).length !== 1) {
    const message = 'or task_id or claim_id must be given, only one of them';
    throw invalid([{ pointer: '/order_id', message }]);
  }
  const found = await findSides(tx, about);
  if (to_agent_id === undefined || to_agent_id === found.theirs) return found;
  const message = `must be the other party, ${found.theirs}`;
  throw invalid([{ pointer: '/to_agent_id', message }]);
}

async function findSides(
  tx: Tx,
  { order_id, task_id, claim_id, to_agent_id }: SubjectInput,
): Promise<Conversation> {
  if (order_id !== undefined) {
    return { subject: { ...NOTHING, order_id }, ...(await findOrderSides(tx, order_id)) };
  }
  if (task_id !== undefined) {
    const { bidId: bid_id, ...sides } = await findTaskSides(tx, task_id, to_agent_id);
    return { subject: { ...NOTHING, task_id, bid_id }, ...sides };
  }
  return {
    subject: { ...NOTHING, claim_id: claim_id! },
    ...(await findClaimSides(tx, claim_id!)),
  };
}
