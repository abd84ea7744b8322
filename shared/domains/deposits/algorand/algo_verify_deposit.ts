import { operation } from '../../../kernel/operation.ts';
import { Input, Text } from '../../../kernel/schema.ts';
import { PASTED_CHARS_MAX, txIdIn } from '../pasted_id.ts';
import { verification } from '../chain/verify.ts';

const input = Input({
  tx_id: Text(
    52,
    PASTED_CHARS_MAX,
    'Id of the payment, 52 letters and digits, or the link of an explorer.',
  ),
});

export const algoVerifyDeposit = operation({
  ...verification<typeof input>(({ tx_id: text }) => ({
    rails: ['algorand'],
    txId: txIdIn.algorand('tx_id', text),
  })),
  name: 'algo_verify_deposit',
  phrasings: `
    credit my ALGO payment; I sent algos, check the transaction; confirm a deposit on Algorand
    by transaction id; algorand payment not showing up; confirm my Algo transfer landed; I paid
    in ALGO, here is the txid; claim the ALGO I sent; pera wallet transaction done, credit it;
    my ALGO deposit is missing; credit my ALGO transfer; I sent ALGO, check the transaction;
    Algorand payment not credited; here is my Algorand transaction id; confirm ALGO deposit; my
    algos have not arrived; verify Algorand payment; finished sending ALGO, update balance; my
    algos went out, where are they; register my Algorand payment; Algorand tx id, please book
    it; did you get my ALGO; apply my Algorand transaction to my balance`,
  title: 'Verify a payment on Algorand',
  summary:
    'Credits a payment of ALGO, once, at its price in dollars. It must carry your note or come ' +
    'from a wallet that you have linked. Free.',
  rest: 'POST /api/v1/algo/verify',
  input,
});
