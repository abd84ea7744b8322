import { operation } from '../../kernel/operation.ts';
import { Input, Output, Type } from '../../kernel/schema.ts';
import { replaceKey } from './signing_keys.ts';
import { lockWatermark } from './watermark.ts';

export const rotateReceiptKey = operation({
  name: 'rotate_receipt_key',
  title: 'Rotate the key of receipts',
  summary:
    'Operators: replaces the key that receipts are signed with, and erases its private half. ' +
    'Earlier receipts stay valid: their public key is shown for ever.',
  access: 'operator',
  mode: 'write',
  rest: 'POST /api/v1/admin/receipt-keys/rotate',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'receipt_keys' }, destructive: true },
  input: Input({}),
  output: Output('RotatedReceiptKey', {
    kid: Type.String({ description: 'The new key, as /.well-known/jwks.json names it.' }),
  }),

  async handle(tx) {
    await lockWatermark(tx.db); // No receipt is being signed.
    return { kid: await replaceKey(tx) };
  },
});
