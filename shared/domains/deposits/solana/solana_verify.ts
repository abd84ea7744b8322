import { operation } from '../../../kernel/operation.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Input, Text, type Static } from '../../../kernel/schema.ts';
import { PASTED_CHARS_MAX, pastedId } from '../pasted_id.ts';
import { verification, type Claim } from '../chain/verify.ts';
import { fromBase58 } from './base58.ts';

const input = Input({
  tx_id: Text(
    64,
    PASTED_CHARS_MAX,
    'Signature of the transaction, in base 58, or the link of an explorer.',
  ),
});

function claimOf({ tx_id: text }: Static<typeof input>): Claim {
  const txId = pastedId({
    field: 'tx_id',
    text,
    form: /(?<![1-9A-HJ-NP-Za-km-z])[1-9A-HJ-NP-Za-km-z]{64,88}(?![1-9A-HJ-NP-Za-km-z])/,
    expected: 'a signature: 64 bytes in base 58',
  });
  if (fromBase58(txId, 64)) return { rails: ['solana'], txId };
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
