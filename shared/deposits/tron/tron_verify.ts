import { operation } from '../../kernel/operation.ts';
import { Input, Type } from '../../kernel/schema.ts';
import { verification } from '../chain/verify.ts';

const input = Input({
  tx_id: Type.String({
    pattern: '^(0x)?[0-9a-fA-F]{64}$',
    maxLength: 66,
    description: 'The id of the transaction: 64 hex digits, with 0x or without.',
  }),
});

export const tronVerify = operation({
  ...verification<typeof input>(({ tx_id: id }) => ({
    rails: ['tron'],
    txId: id.slice(-64).toLowerCase(),
  })),
  name: 'tron_verify',
  title: 'Credit a payment on Tron',
  summary:
    'Looks at a transaction on Tron and credits the USDT that it paid us for you, once its block is ' +
    'solidified (about a minute). Payments are found without this call too. No fee.',
  rest: 'POST /api/v1/tron/verify',
  input,
});
