import { operation } from '../../kernel/operation.ts';
import { Input, OneOf, Type } from '../../kernel/schema.ts';
import { verification } from '../chain/verify.ts';
import { EVM_RAILS } from './settings.ts';

const input = Input({
  tx_hash: Type.String({
    pattern: '^0x[0-9a-fA-F]{64}$',
    maxLength: 66,
    description: 'The hash of the transaction: 0x and 64 hex digits.',
  }),
  network: Type.Optional(OneOf(EVM_RAILS, 'Where it is; all of them are asked if absent.')),
});

export const evmVerify = operation({
  ...verification<typeof input>(({ tx_hash: hash, network }) => ({
    rails: network ? [network] : EVM_RAILS,
    txId: hash.toLowerCase(),
  })),
  name: 'evm_verify',
  title: 'Credit a payment on an EVM network',
  summary:
    'Looks at a transaction on Base, Arbitrum or Ethereum and credits what it paid us for you, once ' +
    'nothing can undo it (about 20 minutes). Payments are found without this call too. No fee.',
  rest: 'POST /api/v1/evm/verify',
  core: true,
  input,
});
