import { invalid } from './schema.ts';

/**
 * Characters that hide or reorder text, and so can deceive a person or a model that reads it:
 * controls (except tab and line breaks), zero-width, bidirectional overrides and isolates, tag
 * characters (Unicode TR 36, TR 9).
 */
const DECEPTIVE = new RegExp(
  String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f` +
    String.raw`\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]`,
  'gu',
);

/** Text as it may be shown to others: NFC, without what deceives, trimmed. */
export function clean(text: string): string {
  return text.normalize('NFC').replace(DECEPTIVE, '').trim();
}

/** What a caller has to say, as others may read it: not nothing. */
export function statementOf(pointer: string, text: string): string {
  const statement = clean(text);
  if (statement === '') throw invalid([{ pointer, message: 'has nothing that can be seen' }]);
  return statement;
}

/** Text of another party, marked. */
export const untrusted = (content: string) => ({ untrusted: true as const, content });

/** The name of an account that a payment by x402 opened, which holds the address of its payer. */
const OF_PAYER = /^x402-\w{30,}/;

/** What those with whom an agent deals are told of its username: not the address of a payer. */
export const shownName = (username: string): string => username.replace(OF_PAYER, 'x402 payer');
