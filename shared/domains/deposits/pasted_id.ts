import { Refusal } from '../../kernel/refusal.ts';
import { invalid } from '../../kernel/schema.ts';
import { FAMILIES, type Family } from './chain/networks.ts';
import { fromBase58 } from './solana/base58.ts';

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

/** The only id in a pasted text, with spaces or the link of an explorer around it. */
function pastedId({ field, text, form, expected }: PastedId): string {
  const found = new Set(text.match(new RegExp(form, `${form.flags}g`)) ?? []);
  if (found.size === 1) return [...found][0]!;
  const message =
    found.size === 0 ? `must have ${expected}` : `has several ids: send one, ${expected}`;
  throw invalid([{ pointer: `/${field}`, message }]);
}

/** The hash of a transaction, without 0x and in small letters. */
const hashIn = (field: string, text: string): string =>
  pastedId({
    field,
    text: text.toLowerCase(),
    form: /(?<=^|0x|[^\da-z])[\da-f]{64}(?![\da-z])/,
    expected: 'a hash: 64 hex digits, with 0x or without',
  });

/** The id of a transaction in a pasted text, in the canonical form of its network. */
export const txIdIn: { readonly [family in Family]: (field: string, text: string) => string } = {
  evm: (field, text) => `0x${hashIn(field, text)}`,
  tron: hashIn,
  algorand: (field, text) =>
    pastedId({
      field,
      text,
      form: /(?<![A-Z2-7])[A-Z2-7]{52}(?![A-Z2-7])/,
      expected: 'an id of 52 capitals and digits from 2 to 7',
    }),
  solana: (field, text) => {
    const txId = pastedId({
      field,
      text,
      form: /(?<![1-9A-HJ-NP-Za-km-z])[1-9A-HJ-NP-Za-km-z]{64,88}(?![1-9A-HJ-NP-Za-km-z])/,
      expected: 'a signature: 64 bytes in base 58',
    });
    if (fromBase58(txId, 64)) return txId;
    throw new Refusal('deposit_invalid', `${field} must be a signature: 64 bytes in base 58.`);
  },
};

/** Ids of payments that only a balance shows (balances/balance_receipt.ts). */
const BALANCE_IDS: { readonly [family in Family]?: (text: string) => RegExpExecArray | null } = {
  evm: (text) => /\bbalance:\d{1,15}:0x[\da-f]{40}\b/.exec(text.toLowerCase()),
  algorand: (text) => /\bbalance:\d{1,15}:[A-Z2-7]{58}\b/.exec(text),
};

/** The id of a payment: of its transaction, or of what only a balance shows. */
export const paymentIdIn = (family: Family, field: string, text: string): string =>
  BALANCE_IDS[family]?.(text)?.[0] ?? txIdIn[family](field, text);

/** The ids of payments in a pasted text, by the forms of these networks. Refuses one with none. */
export function txIdsIn(
  field: string,
  text: string,
  families: readonly Family[] = FAMILIES,
): readonly string[] {
  const found = families.map((family) => {
    try {
      return paymentIdIn(family, field, text);
    } catch (refusal) {
      if (refusal instanceof Refusal) return refusal;
      throw refusal;
    }
  });
  const ids = found.filter((one) => typeof one === 'string');
  if (ids.length > 0) return ids;
  if (families.length === 1) throw found[0];
  throw invalid([{ pointer: `/${field}`, message: 'must have the id of one transaction' }]);
}
