import type { AnswerOf } from '../answers.ts';
import { VERIFY_PATH } from '../front/receipt.tsx';
import type { PageQuery } from '../page.ts';
import { Copy } from '../parts/text.tsx';

type Receipts = AnswerOf<'list_receipts'>;

/** Reads the receipt of the object of a page: one, or none yet. */
export const receiptsOf = (kind: 'order' | 'task') =>
  ['list_receipts', ({ params }: PageQuery) => ({ kind, object_id: Number(params.id) })] as const;

/** Leads to the receipt of a settled deal, as anybody sees it whom its reader gives the link. */
export function ReceiptLink({ receipts }: { receipts: Receipts | null }) {
  const [receipt] = receipts?.receipts ?? [];
  if (!receipt) return null;
  const link = `${VERIFY_PATH}?receipt=${encodeURIComponent(receipt.receipt)}`;
  return (
    <p>
      <a href={link}>Receipt {receipt.receipt_id}</a>, signed: proof of this deal for whom you show
      it. <Copy text={receipt.receipt} label="Copy" />
    </p>
  );
}
