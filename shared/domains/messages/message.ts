import { Id, Output, Type, Untrusted } from '../../kernel/schema.ts';
import { shownName, untrusted } from '../../kernel/text.ts';
import { field, view } from '../../kernel/view.ts';
import { column, finder, nullable, type Row } from '../../platform/rows.ts';
import type { SealedColumn, Secrets } from '../../platform/secrets.ts';

/** Maximum characters of a message. */
export const TEXT_CHARS_MAX = 4_000;

/** The subject, the parties and the time of a message. */
export const Header = view('SentMessage', {
  message_id: field.id('The message.'),
  order_id: field.orNull(field.id('The order it is about.')),
  task_id: field.orNull(field.id('The task it is about.')),
  claim_id: field.orNull(field.id('The labor claim it is about.')),
  from_agent_id: field.id('The party it is from.'),
  to_agent_id: field.id('The other party.'),
  sent_at: field.time('Time of sending.'),
});
/** SQL: the columns of a header. */
export const HEADER = `
  id as message_id, order_id, task_id, claim_id, sender_id as from_agent_id,
  recipient_id as to_agent_id, created_at as sent_at`;

export const MessageView = Output('Message', {
  ...Header.schema.properties,
  from_username: Type.String({ description: 'The name of from_agent_id.' }),
  sent_by: Id('The agent that wrote it: from_agent_id, or one above that.'),
  text: Untrusted('The message.'),
  is_answered: Type.Boolean({ description: 'Whether the other party has written since.' }),
});

const MESSAGE = {
  ...Header.columns,
  from_username: column.text,
  sent_by: column.id,
  text: column.bytes,
  answered_at: nullable(column.time),
};
/** A row of message. Its text is sealed. */
type Message = Row<typeof MESSAGE>;

/** Finds messages by the clauses after `from`: `m` is the message. */
export const findMessages = finder(
  MESSAGE,
  `select ${HEADER}, sent_by, text, answered_at,
          (select username from agent where id = m.sender_id) as from_username
     from message m`,
);

export const viewOf = (message: Message, secrets: Secrets) => ({
  ...Header.show(message),
  from_username: shownName(message.from_username),
  sent_by: message.sent_by,
  text: untrusted(secrets.open(message.text, textOf(message))),
  is_answered: message.answered_at !== null,
});

/** The row that the text of a message is sealed for. */
export const textOf = (message: { message_id: number; from_agent_id: number }) => ({
  table: 'message',
  column: 'text',
  row: message.message_id,
  owner: message.from_agent_id,
});

export const SEALED_MESSAGES: SealedColumn = {
  table: 'message',
  column: 'text',
  row: 's.id::text',
  owner: 's.sender_id',
};
