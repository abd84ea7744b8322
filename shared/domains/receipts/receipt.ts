import { Nullable, Output, Text, Type } from '../../kernel/schema.ts';
import { field, view } from '../../kernel/view.ts';
import { column, oneOf, rows, type Database, type Row } from '../../platform/rows.ts';
import type { ReceiptKind } from './document.ts';
import { ReceiptDocument, ReceiptKindField } from './signed_document.ts';

/** A receipt as its parties see it. */
export const ReceiptView = view('Receipt', {
  receipt_id: field.id('Pass it to get_receipt.'),
  kind: field.asIs(ReceiptKindField, oneOf<ReceiptKind>()),
  object_id: field.whole('The order, task, claim, deposit, reversal or withdrawal.'),
  side: field.oneOf(['payer', 'payee'], 'The side of your tree of agents.'),
  issued_at: field.time('Time of the receipt.'),
  receipt: field.text('Signed: JWS, Ed25519, keys at /.well-known/jwks.json.'),
  sha256: field.asIs(
    Text(64, 64, 'Hash of receipt, in hex. The next one of your tree names it.'),
    column.text,
  ),
  content_salt: field.orNull(
    field.text(
      'content_sha256 of the receipt is the SHA-256 of it and each delivered item, joined by ' +
        'newlines. null: nothing was delivered.',
    ),
  ),
});

/** The same with what it says, and the proof that it is in the hash tree of its day. */
export const FullReceipt = Output('FullReceipt', {
  ...ReceiptView.schema.properties,
  document: ReceiptDocument,
  inclusion: Nullable(
    Output('ReceiptInclusion', {
      day: Text(10, 10, 'Day (UTC) of the receipt. See get_receipt_day.'),
      index: Type.Integer({ description: 'Its place among the receipts of the day, from 0.' }),
      count: Type.Integer({ description: 'Receipts of the day.' }),
      path: Type.Array(Text(64, 64, 'A hash.'), {
        maxItems: 64,
        description: 'Hashes from the receipt to the root, the nearest first (RFC 9162).',
      }),
    }),
  ),
});

const RECEIPT = { ...ReceiptView.columns, document: column.text };

/** Finds receipts for a tree. `clauses` follows `from`: `r` is the receipt. */
export const findReceipts = (
  db: Database,
  rootId: number,
  clauses: string,
  parameters: readonly unknown[],
): Promise<Row<typeof RECEIPT>[]> =>
  rows(
    db,
    RECEIPT,
    `select r.id as receipt_id, r.kind, r.object_id, r.issued_at, r.document,
            case when payer.root_id = $1 then 'payer' else 'payee' end as side,
            jws_of(k.header, r.document, r.signature) as receipt,
            encode(r.hash, 'hex') as sha256, r.salt as content_salt
       from receipt r join receipt_key k on k.id = r.key_id
       left join agent payer on payer.id = r.payer_id
       left join agent payee on payee.id = r.payee_id
     ${clauses}`,
    [rootId, ...parameters],
  );
