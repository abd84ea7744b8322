import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Input, Type, type Static } from '../../kernel/schema.ts';
import { verification, type Claim } from '../chain/verify.ts';
import { fromBase58 } from './base58.ts';

const input = Input({
  tx_id: Type.String({
    minLength: 64,
    maxLength: 88,
    pattern: '^[1-9A-HJ-NP-Za-km-z]+$',
    description: 'The signature of the transaction, in base 58.',
  }),
});

function claimOf({ tx_id }: Static<typeof input>): Claim {
  if (fromBase58(tx_id, 64)) return { rails: ['solana'], txId: tx_id };
  throw new Refusal('deposit_invalid', 'tx_id is no signature: that is 64 bytes in base 58.');
}

export const solanaVerify = operation({
  ...verification<typeof input>(claimOf),
  name: 'solana_verify',
  title: 'Verify a payment by Solana',
  summary:
    'Credits a payment in SOL or USDC that its memo or its sender says is yours. While the deposit ' +
    'is only detected, repeat the call. Free.',
  rest: 'POST /api/v1/solana/verify',
  core: true,
  input,
});
