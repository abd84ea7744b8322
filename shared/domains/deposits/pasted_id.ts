import { invalid } from '../../kernel/schema.ts';

/** Maximum characters of an id as people paste it: links of explorers are long. */
export const PASTED_CHARS_MAX = 300;

interface PastedId {
  /** The field of the input, and what it holds. */
  readonly field: string;
  readonly text: string;
  /** The form of an id, as a part of a longer text. */
  readonly form: RegExp;
  /** The id in words, for the refusal. */
  readonly expected: string;
}

/** The id of a transaction in a pasted text, with spaces or the link of an explorer around it. */
export function pastedId({ field, text, form, expected }: PastedId): string {
  const found = new Set(text.match(new RegExp(form, `${form.flags}g`)) ?? []);
  if (found.size === 1) return [...found][0]!;
  const message =
    found.size === 0 ? `must have ${expected}` : `has several ids: send one, ${expected}`;
  throw invalid([{ pointer: `/${field}`, message }]);
}

/** The hash of a transaction, without 0x and in small letters. */
export const hashIn = (field: string, text: string): string =>
  pastedId({
    field,
    text: text.toLowerCase(),
    form: /(?<=^|0x|[^\da-z])[\da-f]{64}(?![\da-z])/,
    expected: 'a hash: 64 hex digits, with 0x or without',
  });
