import type { Answer } from '../../shared/kernel/call.ts';
import { unreadIn, type SentArguments } from './call_arguments.ts';

/** Maximum unread arguments that an answer names. */
export const NAMED_MAX = 20;

/** Maximum characters of a name beside the arguments, which nothing has measured. */
const NAME_CHARS = 64;

/** Adds to a read's answer the names of the arguments that were ignored. */
export function withIgnored(
  answer: Answer,
  { strays = [], ...sent }: SentArguments & { readonly strays?: readonly string[] },
): Answer {
  if (sent.op.mode !== 'read' || answer.status !== 200) return answer;
  const ignored = [...unreadIn(sent), ...strays.map((name) => name.slice(0, NAME_CHARS))];
  if (ignored.length === 0) return answer;
  const body = JSON.parse(answer.body) as object;
  return { ...answer, body: JSON.stringify({ ...body, ignored: ignored.slice(0, NAMED_MAX) }) };
}
