import { operation } from '../../../kernel/operation.ts';
import { Input, OneOf, Text, Type } from '../../../kernel/schema.ts';
import { PASTED_CHARS_MAX, txIdIn } from '../pasted_id.ts';
import { verification } from '../chain/verify.ts';
import { EVM_RAILS } from './settings.ts';

const input = Input({
  tx_hash: Text(64, PASTED_CHARS_MAX, 'Hash of the transaction, or the link of an explorer.'),
  network: Type.Optional(OneOf(EVM_RAILS, 'Its network; all are searched if absent.')),
});

export const evmVerify = operation({
  ...verification<typeof input>(({ tx_hash: hash, network }) => ({
    rails: network ? [network] : EVM_RAILS,
    txId: txIdIn.evm('tx_hash', hash),
  })),
  name: 'evm_verify',
  phrasings: `
    credit my ETH or USDC transaction; check a payment on Base, Arbitrum or Ethereum; I sent
    ether, here is the hash; confirm a deposit by tx hash; my ETH deposit on Arbitrum has not
    shown up; claim my USDC ERC20 top up from mainnet; paid on Base, hash is 0x; verify a
    Polygon-like EVM transaction; metamask transfer sent, credit it; ethereum payment missing;
    tx hash of my deposit; confirm ETH payment; here is my transaction hash; verify a Base
    transaction; I paid by MetaMask, credit it; USDC transfer on Arbitrum not credited; 0x hash
    of my payment; check whether my ether arrived; deposit by Ethereum done; register an
    on-chain payment; did you get my ETH; register my Ethereum payment; apply my Base
    transaction to my balance; my USDC on Base went out, where is it; book this hash; ether
    sent, still no balance`,
  title: 'Verify a payment on an EVM network',
  summary:
    'Reads a transaction on Base, Arbitrum or Ethereum and credits its payment to you, once it ' +
    'cannot be undone (about 20 minutes). Payments are found without this call too. No fee.',
  rest: 'POST /api/v1/evm/verify',
  input,
});
