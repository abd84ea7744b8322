import { operation } from '../../../kernel/operation.ts';
import { Input, Text } from '../../../kernel/schema.ts';
import { PASTED_CHARS_MAX, txIdIn } from '../pasted_id.ts';
import { verification } from '../chain/verify.ts';

const input = Input({
  tx_id: Text(
    64,
    PASTED_CHARS_MAX,
    'Signature of the transaction, in base 58, or the link of an explorer.',
  ),
});

export const solanaVerify = operation({
  ...verification<typeof input>(({ tx_id: text }) => ({
    rails: ['solana'],
    txId: txIdIn.solana('tx_id', text),
  })),
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
