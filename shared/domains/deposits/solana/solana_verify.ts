import { operation } from '../../../kernel/operation.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Input, Type, type Static } from '../../../kernel/schema.ts';
import { verification, type Claim } from '../chain/verify.ts';
import { fromBase58 } from './base58.ts';

const input = Input({
  tx_id: Type.String({
    minLength: 64,
    maxLength: 88,
    pattern: '^[1-9A-HJ-NP-Za-km-z]+$',
    description: 'Signature of the transaction, base 58.',
  }),
});

function claimOf({ tx_id }: Static<typeof input>): Claim {
  if (fromBase58(tx_id, 64)) return { rails: ['solana'], txId: tx_id };
  throw new Refusal('deposit_invalid', 'tx_id must be a signature: 64 bytes in base 58.');
}

export const solanaVerify = operation({
  ...verification<typeof input>(claimOf),
  name: 'solana_verify',
  phrasings: `
    credit my SOL or USDC transfer on Solana; I sent SOL, check the signature; confirm a deposit
    on Solana; check the Phantom payment I just made; USDC-SPL transfer done, add to balance; my
    SOL has not arrived; here is the Solana signature; claim a deposit on Solana; solana tx
    confirmed, credit me; confirm SOL payment; I paid with SOL, credit it; Solana transfer not
    credited; USDC SPL sent, signature; verify Solana transaction id; check whether my SOL
    deposit arrived; finished paying on Solana, update balance; did you get my SOL; register my
    Solana payment; apply my Solana transaction to my balance; my SOL went out, where is it;
    book the USDC that I sent on Solana`,
  title: 'Verify a payment on Solana',
  summary:
    'Credits a payment in SOL or USDC that carries your memo or comes from a wallet you have ' +
    'linked. While its status is detected, repeat the call. Free.',
  rest: 'POST /api/v1/solana/verify',
  input,
});
