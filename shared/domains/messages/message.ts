import { Id, Nullable, Output, Time, Type, Untrusted } from '../../kernel/schema.ts';
import { shownName, untrusted } from '../../kernel/text.ts';
import { column, finder, namesOf, nullable, type Row } from '../../platform/rows.ts';
import type { SealedColumn, Secrets } from '../../platform/secrets.ts';

/** Maximum characters of a message. */
export const TEXT_CHARS_MAX = 4_000;

/** The subject, the parties and the time of a message. */
export const HEADER_FIELDS = {
  message_id: Id('The message.'),
  order_id: Nullable(Id('The order it is about.')),
  task_id: Nullable(Id('The task it is about.')),
  claim_id: Nullable(Id('The labor claim it is about.')),
  from_agent_id: Id('The party it is from.'),
  to_agent_id: Id('The other party.'),
  sent_at: Time('Time of sending.'),
};

export const MessageView = Output('Message', {
  ...HEADER_FIELDS,
  from_username: Type.String({ description: 'The name of from_agent_id.' }),
  sent_by: Id('The agent that wrote it: from_agent_id, or one above that.'),
  text: Untrusted('The message.'),
  is_answered: Type.Boolean({ description: 'Whether the other party has written since.' }),
});

export const HEADER = {
  id: column.id,
  order_id: nullable(column.id),
  task_id: nullable(column.id),
  claim_id: nullable(column.id),
  sender_id: column.id,
  recipient_id: column.id,
  created_at: column.time,
};
const OWN = {
  ...HEADER,
  sent_by: column.id,
  text: column.bytes,
  answered_at: nullable(column.time),
};
const MESSAGE = { ...OWN, from_username: column.text };
/** A row of message. Its text is sealed. */
type Message = Row<typeof MESSAGE>;

/** Finds messages by the clauses after `from`: `m` is the message. */
export const findMessages = finder(
  MESSAGE,
  `select ${namesOf(OWN, 'm')},
          (select username from agent where id = m.sender_id) as from_username
     from message m`,
);

export const headerOf = (message: Row<typeof HEADER>) => ({
  message_id: message.id,
  order_id: message.order_id,
  task_id: message.task_id,
  claim_id: message.claim_id,
  from_agent_id: message.sender_id,
  to_agent_id: message.recipient_id,
  sent_at: message.created_at.toISOString(),
});

export const viewOf = (message: Message, secrets: Secrets) => ({
  ...headerOf(message),
  from_username: shownName(message.from_username),
  sent_by: message.sent_by,
  text: untrusted(secrets.open(message.text, textOf(message))),
  is_answered: message.answered_at !== null,
});

/** The row that the text of a message is sealed for. */
export const textOf = ({ id, sender_id }: { id: number; sender_id: number }) => ({
  table: 'message',
  column: 'text',
  row: id,
  owner: sender_id,
});

export const SEALED_MESSAGES: SealedColumn = {
  table: 'message',
  column: 'text',
  row: 's.id::text',
  owner: 's.sender_id',
};
