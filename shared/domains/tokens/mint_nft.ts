import { isAlgorandAddress } from '../deposits/algorand/address.ts';
import { operation } from '../../kernel/operation.ts';
import { Input, invalid, Text } from '../../kernel/schema.ts';
import { SPENDING_REFUSALS } from '../wallet/spending_refusals.ts';
import { beginToken } from './begin_token.ts';
import { NftView, nftViewOf } from './token.ts';
import { uriOf } from './token_texts.ts';

/** The zero address, which belongs to nobody: a token sent there is lost. */
const ZERO = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKQ';

export const mintNft = operation({
  name: 'mint_nft',
  title: 'Mint an NFT',
  summary:
    'Mints an NFT by ARC-72 on Algorand, to the address that you name. Takes a fee ' +
    'from the wallet, $0.5 unless this marketplace sets another, and refunds it on ' +
    'failure. Send an idempotency key so that a repeat mints nothing.',
  phrasings: `
    make an NFT; turn a picture or file into a collectible; mint a unique token, ARC-72; create
    a unique digital collectible on Algorand; mint my artwork; one-of-one token with an IPFS
    URI; certificate as NFT; put my picture on chain; ARC-72 for a buyer's address; create a
    one-of-a-kind token; NFT from an image; make digital art certificate; issue a non-fungible
    token; new nft; turn this image into an NFT; put my art on the blockchain; create a unique
    token for a ticket; mint one NFT`,
  access: 'sell',
  mode: 'job',
  queue: 'money',
  rest: 'POST /api/v1/nft',
  effects: { destructive: true, takes: 'fee' },
  refusals: [...SPENDING_REFUSALS, 'rail_unavailable'],
  input: Input({
    uri: Text(1, 256, 'ipfs://… (or https://…) of its metadata: JSON by ARC-3. Permanent.'),
    address: Text(58, 58, 'Algorand address of its owner. Nobody else can move it.'),
  }),
  output: NftView,

  async handle(tx, { uri, address }) {
    if (!isAlgorandAddress(address) || address === ZERO) {
      throw invalid([{ pointer: '/address', message: 'must be an address of Algorand' }]);
    }
    return nftViewOf(await beginToken(tx, { kind: 'nft', uri: uriOf(uri), address }));
  },
});
