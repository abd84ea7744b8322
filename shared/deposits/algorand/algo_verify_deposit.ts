import { operation } from '../../kernel/operation.ts';
import { Input, Type } from '../../kernel/schema.ts';
import { verification } from '../chain/verify.ts';

const input = Input({
  tx_id: Type.String({
    description: 'The id of the payment: 52 letters and digits.',
    pattern: '^[A-Z2-7]{52}$',
    minLength: 52,
    maxLength: 52,
  }),
});

export const algoVerifyDeposit = operation({
  ...verification<typeof input>(({ tx_id: txId }) => ({ rails: ['algorand'], txId })),
  name: 'algo_verify_deposit',
  title: 'Verify a payment by Algorand',
  summary:
    'Credits a payment of ALGO that you have made, once, at its price in dollars. It must have ' +
    'your note, or be from a wallet that you have linked. Free.',
  core: true,
  rest: 'POST /api/v1/algo/verify',
  input,
});
