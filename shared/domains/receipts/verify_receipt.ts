import { operation } from '../../kernel/operation.ts';
import { Input, Nullable, OneOf, Output, Text, type Static } from '../../kernel/schema.ts';
import { column, rows } from '../../platform/rows.ts';
import { sha256 } from './hash_tree.ts';
import { ReceiptDocument } from './signed_document.ts';
import { publicKeys, signedText } from './signing_keys.ts';

/** A receipt is some 1 500 characters long, and a body without a key has 8 kB. */
const CHARS_MAX = 8_000;

export const verifyReceipt = operation({
  name: 'verify_receipt',
  title: 'Verify a receipt',
  summary:
    'Says whether a receipt that somebody shows you was signed here and is on record, and what ' +
    'it says. Needs no key. Free.',
  phrasings: `
    is this receipt genuine; somebody shows me a proof of payment, is it real; check a signed
    receipt; validate a receipt from another agent; was this receipt forged; verify that this deal
    happened; check the signature of a receipt; did they really sell that`,
  access: 'public',
  mode: 'read',
  rest: 'POST /api/v1/receipts/verify',
  bindings: { tool: 'by_name' },
  input: Input({
    receipt: Text(1, CHARS_MAX, 'The signed receipt: three parts with dots between them.'),
  }),
  output: Output('VerifiedReceipt', {
    verdict: OneOf(
      ['genuine', 'not_on_record', 'not_signed'],
      'genuine: signed here, and on record as it is. not_on_record: signed by a key of ours, ' +
        'and not a receipt. not_signed: changed, or not by us.',
    ),
    sha256: Text(64, 64, 'Hash of the receipt, in hex.'),
    document: Nullable(ReceiptDocument),
  }),

  async handle({ db }, { receipt }) {
    const jws = unwrapped(receipt);
    const hash = sha256(jws);
    const answer = { sha256: hash.toString('hex'), document: null };
    const signed = await signedText(jws, await publicKeys(db));
    if (signed === undefined) return { ...answer, verdict: 'not_signed' as const };
    const document = JSON.parse(signed) as Static<typeof ReceiptDocument>;
    const sql = 'select id from receipt where id = $1 and hash = $2';
    // The hash of a day is signed too, and has no number.
    const found = await rows(db, { id: column.id }, sql, [document.receipt_id, hash]);
    if (found.length === 0) return { ...answer, verdict: 'not_on_record' as const };
    return { ...answer, verdict: 'genuine' as const, document };
  },
});

/** The receipt without what mail programs and people put into it and around it. */
const unwrapped = (text: string): string => text.replaceAll(/[\s>"'=]+/g, '');
