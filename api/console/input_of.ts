import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { fromJsonText } from '../../shared/kernel/reading/by_schema.ts';
import { listedIn, listOf } from './parts/choices.tsx';
import { fieldOf, kindOf } from './parts/fields.tsx';
import { withSentAnswer } from './owner/labor/sent_answer.ts';
import { oneOf } from './session/form.ts';
import type { FormFields } from './page_state.ts';
import { isAmount, plainAmount } from './words/texts.ts';
import { fieldWords } from './words/field_words.ts';

/** The format in which browsers send a field of type "date". */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The input of an operation from the fields of a form, by its schema. An empty field is null if
 * null is a value, and otherwise absent. So is an empty list. A list is a field sent several times,
 * or one line for each item, or a JSON list; a list within a text is a field sent once for each
 * item. Texts are read by the schema when the operation is called. A day stands for its last
 * second in UTC.
 */
export function inputOf(op: AnyOperation, sent: FormFields): object {
  const given = op.name === 'deliver_labor_task' ? withSentAnswer(sent) : sent;
  const read = Object.entries(given).flatMap(([name, texts]): [string, unknown][] => {
    if (name.startsWith('_')) return [];
    if (!Object.hasOwn(op.input.properties, name)) return [[name, oneOf(given, name)]];
    const schema = fieldOf(op, name);
    const kind = kindOf(schema);
    const { type, format } = kind;
    const list = listOf(op, name);
    if (list) return [[name, listedIn(list, texts)]];
    if (type === 'array') {
      const pasted = pastedList(texts);
      if (pasted) return [[name, pasted]];
      const lines = texts.flatMap((one) => one.split(/\r?\n/)).map((one) => one.trim());
      const full = lines.filter((line) => line !== '');
      return full.length > 0 || isRequired(op, name) ? [[name, full]] : [];
    }
    const sent = oneOf(given, name);
    const text = sent.trim();
    if (text === '' && type !== 'string') return isNullable(schema) ? [[name, null]] : [];
    if (text === '')
      return isNullable(schema) ? [[name, null]] : isRequired(op, name) ? [[name, '']] : [];
    if (format === 'date-time' && DAY.test(text)) return [[name, `${text}T23:59:59Z`]];
    if (type !== 'string') return [[name, isAmount(kind) ? plainAmount(text) : text]];
    // Nobody sees the spaces around one line. Browsers send a line break as two characters.
    return [[name, isOneLine(op, name) ? text : sent.replaceAll('\r\n', '\n')]];
  });
  return Object.fromEntries(read);
}

/**
 * The elements of a JSON list that was pasted whole. A list on one line may be one item, such as a
 * name and a password, unless its elements are objects.
 */
function pastedList(texts: readonly string[]): readonly unknown[] | undefined {
  const [text = '', ...others] = texts;
  const list = others.length === 0 ? fromJsonText(text) : undefined;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const isOfObjects = list.every((one) => typeof one === 'object' && one !== null);
  return isOfObjects || text.trim().includes('\n') ? list : undefined;
}

/** Whether a field has one line in which spaces at its ends mean nothing. */
const isOneLine = (op: AnyOperation, name: string) =>
  !fieldWords(op.name, name).isLong && !/password|secret|pattern/.test(name);

const isNullable = (schema: { anyOf?: readonly { type?: string }[] }) =>
  schema.anyOf?.some(({ type }) => type === 'null') ?? false;

const isRequired = (op: AnyOperation, name: string) =>
  ((op.input.required as string[] | undefined) ?? []).includes(name);
