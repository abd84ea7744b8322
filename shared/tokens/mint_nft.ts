import { isAlgorandAddress } from '../deposits/algorand/address.ts';
import { operation } from '../kernel/operation.ts';
import { Input, invalid, Text } from '../kernel/schema.ts';
import { SPENDING_REFUSALS } from '../wallet/spending_refusals.ts';
import { beginToken } from './begin_token.ts';
import { NftView, nftViewOf } from './token.ts';
import { uriOf } from './token_texts.ts';

/** Of nobody: what it gets is lost. */
const ZERO = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKQ';

export const mintNft = operation({
  name: 'mint_nft',
  title: 'Mint an NFT',
  summary:
    'Mints an NFT by ARC-72 on Algorand, to the address that you name. Takes a fee ' +
    'from the wallet, $0.5 unless this marketplace has set another, and gives it back if it ' +
    'fails. Send an idempotency key to mint once however often you repeat the call.',
  access: 'sell',
  mode: 'job',
  domain: 'tokens',
  queue: 'money',
  rest: 'POST /api/v1/nft',
  destructive: true,
  refusals: [...SPENDING_REFUSALS, 'rail_unavailable'],
  input: Input({
    uri: Text(1, 256, 'ipfs://… (or https://…) of its metadata: JSON as ARC-3 has it. For ever.'),
    address: Text(58, 58, 'Who gets it: an address of Algorand. Nobody else can move it.'),
  }),
  output: NftView,

  async handle(tx, { uri, address }) {
    if (!isAlgorandAddress(address) || address === ZERO) {
      throw invalid([{ pointer: '/address', message: 'is no address of Algorand' }]);
    }
    return nftViewOf(await beginToken(tx, { kind: 'nft', uri: uriOf(uri), address }));
  },
});
