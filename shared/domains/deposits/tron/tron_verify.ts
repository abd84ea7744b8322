import { operation } from '../../../kernel/operation.ts';
import { Input, Text } from '../../../kernel/schema.ts';
import { PASTED_CHARS_MAX, txIdIn } from '../pasted_id.ts';
import { verification } from '../chain/verify.ts';

const input = Input({
  tx_id: Text(64, PASTED_CHARS_MAX, 'Id of the transaction, or the link of an explorer.'),
});

export const tronVerify = operation({
  ...verification<typeof input>(({ tx_id: id }) => ({
    rails: ['tron'],
    txId: txIdIn.tron('tx_id', id),
  })),
  name: 'tron_verify',
  phrasings: `
    credit my TRC20 transfer; I sent USDT on Tron, check it; confirm a tether deposit; my USDT
    has not arrived; tron transaction id, credit it; TRC-20 payment done; claim a Tron deposit;
    confirm USDT payment; check Tron transaction; tether sent, credit me; my Tron payment is
    missing; verify TRC20 hash; did you get my USDT; register my Tron payment; my tether went
    out, where is it; apply my TRC20 payment to my balance`,
  title: 'Verify a payment on Tron',
  summary:
    'Reads a transaction on Tron and credits its USDT payment to you, once its block is ' +
    'solidified (about a minute). Payments are found without this call too. No fee.',
  rest: 'POST /api/v1/tron/verify',
  input,
});
