import { Id, List, Nullable, OneOf, Output, Text, Time, Type } from '../../kernel/schema.ts';
import { column, nullable, oneOf, rows, type Database, type Row } from '../../platform/rows.ts';
import type { ReceiptKind } from './document.ts';
import { ReceiptDocument, ReceiptKindField } from './signed_document.ts';

const FIELDS = {
  receipt_id: Id('Pass it to get_receipt.'),
  kind: ReceiptKindField,
  object_id: Type.Integer({
    description: 'The order, task, claim, deposit, reversal or withdrawal.',
  }),
  side: OneOf(['payer', 'payee'], 'The side of your tree of agents.'),
  issued_at: Time('Time of the receipt.'),
  receipt: Type.String({ description: 'Signed: JWS, Ed25519, keys at /.well-known/jwks.json.' }),
  sha256: Text(64, 64, 'Hash of receipt, in hex. The next one of your tree names it.'),
  content_salt: Nullable(
    Type.String({
      description:
        'content_sha256 of the receipt is the SHA-256 of it and each delivered item, joined by ' +
        'newlines. null: nothing was delivered.',
    }),
  ),
};

/** A receipt as its parties see it. */
const ReceiptView = Output('Receipt', FIELDS);
export const ReceiptList = List('receipts', ReceiptView);

/** The same with what it says, and the proof that it is in the hash tree of its day. */
export const FullReceipt = Output('FullReceipt', {
  ...FIELDS,
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

const RECEIPT = {
  id: column.id,
  kind: oneOf<ReceiptKind>(),
  object_id: column.id,
  issued_at: column.time,
  document: column.text,
  jws: column.text,
  hash: column.text,
  salt: nullable(column.text),
  is_payer: column.boolean,
};

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
    `select r.id, r.kind, r.object_id, r.issued_at, r.document, r.salt,
            jws_of(k.header, r.document, r.signature) as jws, encode(r.hash, 'hex') as hash,
            payer.root_id is not distinct from $1 as is_payer
       from receipt r join receipt_key k on k.id = r.key_id
       left join agent payer on payer.id = r.payer_id
       left join agent payee on payee.id = r.payee_id
     ${clauses}`,
    [rootId, ...parameters],
  );

export const viewOf = (receipt: Row<typeof RECEIPT>) => ({
  receipt_id: receipt.id,
  kind: receipt.kind,
  object_id: receipt.object_id,
  side: receipt.is_payer ? ('payer' as const) : ('payee' as const),
  issued_at: receipt.issued_at.toISOString(),
  receipt: receipt.jws,
  sha256: receipt.hash,
  content_salt: receipt.salt,
});
