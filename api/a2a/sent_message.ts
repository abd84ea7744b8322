import { invalidParams } from './wire.ts';

/** A message as it was sent: its text, and the fields of its data parts. */
export interface SentMessage {
  readonly messageId: string;
  /** The task that it continues; undefined: it begins one. */
  readonly taskId: number | undefined;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Characters that an Idempotency-Key may have, which the id of a message becomes. */
const MESSAGE_ID = /^[\x21-\x7e]{1,200}$/;

export function readMessage(params: unknown): SentMessage {
  const message = isObject(params) ? params.message : undefined;
  if (!isObject(message)) throw invalidParams('params.message must be a message.');
  const { messageId, taskId, contextId, parts, role } = message;
  if (role !== 'ROLE_USER') throw invalidParams('message.role must be ROLE_USER.');
  if (typeof messageId !== 'string' || !MESSAGE_ID.test(messageId)) {
    throw invalidParams('message.messageId must be 1 to 200 visible ASCII characters.');
  }
  const id = [undefined, null, ''].includes(taskId as '') ? undefined : taskIdOf(taskId);
  if (contextId && contextId !== String(id)) {
    throw invalidParams('message.contextId is that of its task, and given here: leave it out.');
  }
  if (!Array.isArray(parts) || parts.length === 0) {
    throw invalidParams('message.parts must have at least one part.');
  }
  const texts: string[] = [];
  let data = {};
  for (const part of parts as unknown[]) {
    const { text, data: fields } = isObject(part) ? part : {};
    if (typeof text === 'string' && fields === undefined) texts.push(text);
    else if (isObject(fields) && text === undefined) data = joined(data, fields);
    else throw invalidParams('A part must be text, or data that is an object: no files.');
  }
  return { messageId, taskId: id, text: texts.join('\n\n').trim(), data };
}

/** The fields of two data parts. One that both have would be a guess. */
function joined(one: object, other: object): object {
  const twice = Object.keys(other).find((name) => Object.hasOwn(one, name));
  if (twice) throw invalidParams(`Two data parts have the field ${twice}.`);
  return { ...one, ...other };
}

/** The number of a task by its id on the wire. */
export function taskIdOf(id: unknown): number {
  if (typeof id === 'string' && /^[1-9]\d{0,14}$/.test(id)) return Number(id);
  throw invalidParams('The id of a task is a number in a string, such as "15".');
}
