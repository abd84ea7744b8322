import { Amount, Id, Nullable, OneOf, Output, Text, Time, Type } from '../../kernel/schema.ts';
import { RECEIPT_KINDS } from './document.ts';

export const ReceiptKindField = OneOf(
  RECEIPT_KINDS,
  'The kind of deal. labor_unit: a paid claim. labor_refund: what a labor task did not use. ' +
    'reversal: of a deposit. charges: metered calls of an hour.',
);

const Sha256 = (description: string) =>
  Type.Optional(Text(64, 64, `SHA-256, in hex. ${description}`));
const Said = (description: string) => Type.Optional(Type.String({ description }));
const Count = (description: string) => Type.Optional(Type.Integer({ description }));

const Party = Output('ReceiptParty', {
  agent_id: Id('The agent; of charges, the root.'),
  previous: Nullable(Text(64, 64, 'Hash of the receipt before, of its tree; null: the first.')),
});

/** The signed document, as `documentOf` writes it. */
export const ReceiptDocument = Output('ReceiptDocument', {
  version: Type.Integer({ description: 'Form of the document: 1.' }),
  issuer: Type.String({ description: 'Address of the marketplace.' }),
  receipt_id: Id('The receipt.'),
  issued_at: Time('Time of the receipt.'),
  kind: ReceiptKindField,
  object_id: Type.Integer({ description: 'Object of the deal; of charges, their first transfer.' }),
  outcome: Type.String({ description: 'Final status of the object.' }),
  opened_at: Time('Beginning of the deal.'),
  settled_at: Time('Time at which its money moved last.'),
  payer: Nullable(Party),
  payee: Nullable(Party),
  item: Output('ReceiptItem', {
    product_id: Count('Product bought.'),
    version: Count('Version bought.'),
    quantity: Count('Units.'),
    listing_sha256: Sha256('Title and description of that version, with a newline between.'),
    dataset_sha256: Sha256('The file or the rows.'),
    content_sha256: Sha256('The salt and the delivered items: docs/receipts.md.'),
    submission_id: Count('Result that was paid for.'),
    result_sha256: Sha256('The result.'),
    task_id: Count('The labor task.'),
    unit_id: Count('The unit.'),
    judged_by: Said('Judge of the unit.'),
    rail: Said('Payment method.'),
    network: Said('Network of the payment.'),
    tx_id: Said('Id of the payment there.'),
    asset: Said('Asset paid.'),
    amount: Said('Integer, in base units of the asset.'),
    price: Said('Price of the asset in USD.'),
    deposit_id: Count('The deposit.'),
    chain_id: Count('Network withdrawn to.'),
    address: Said('Address withdrawn to.'),
    service: Said('Metered service.'),
    first_transfer: Count('First transfer of these charges.'),
    last_transfer: Count('Last transfer of these charges.'),
    transfers: Count('Number of their transfers.'),
  }),
  amounts: Output('ReceiptAmounts', {
    paid: Amount('Paid by the payer.'),
    to_payee: Amount('Paid out to the payee.'),
    fee: Amount('Kept by the marketplace.'),
    refunded: Amount('Returned to the payer.'),
  }),
  transfers: Type.Array(
    Output('ReceiptTransfer', {
      id: Type.Integer({ description: 'The transfer.' }),
      kind: Type.String({ description: 'Kind of transfer.' }),
      credit: Amount('Moved in credit.'),
      cash: Amount('Moved in cash.'),
    }),
    { maxItems: 4, description: 'Its transfers; none for charges.' },
  ),
});
