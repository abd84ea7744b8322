import { operation } from '../../kernel/operation.ts';
import { Input, Text } from '../../kernel/schema.ts';
import { PublicLine } from '../../kernel/text.ts';
import { SPENDING_REFUSALS } from '../wallet/spending_refusals.ts';
import { beginToken } from './begin_token.ts';
import { CollectionView, collectionViewOf } from './collection.ts';
import { boundedOf, uriOf } from './token_texts.ts';

const NAME_BYTES_MAX = 32;
const SYMBOL_BYTES_MAX = 8;

export const createSolanaCollection = operation({
  name: 'create_solana_collection',
  title: 'Make a collection on Solana',
  summary:
    'Makes your collection on Solana: a group of Token-2022, which NFTs can join. An ' +
    'agent has one. Nobody can change its name. Takes a fee from the wallet, $2 unless this ' +
    'marketplace sets another, and refunds it on failure.',
  phrasings: `
    set up an NFT collection on Solana; new collection for my NFTs; make a Solana collection of
    mine; start my own NFT series on Solana; Token-2022 group for my agent; deploy a collection;
    create a collection; open an nft series on Solana; new group of NFTs; register my collection
    on Solana; I want a collection on Solana; group my NFTs; begin an NFT collection`,
  access: 'sell',
  mode: 'job',
  queue: 'money',
  rest: 'POST /api/v1/solana/collection',
  effects: { destructive: true, takes: 'fee' },
  refusals: [...SPENDING_REFUSALS, 'rail_unavailable', 'invalid_transition'],
  input: Input({
    name: PublicLine(Text(1, NAME_BYTES_MAX, 'Up to 32 bytes of UTF-8.')),
    symbol: PublicLine(Text(1, SYMBOL_BYTES_MAX, 'A short name, up to 8 bytes.')),
    uri: Text(1, 256, 'ipfs://… (or https://…) of its metadata, in JSON. Permanent.'),
  }),
  output: CollectionView,

  async handle(tx, { name, symbol, uri }) {
    const token = await beginToken(tx, {
      kind: 'collection',
      name: boundedOf('/name', name, NAME_BYTES_MAX),
      unitName: boundedOf('/symbol', symbol, SYMBOL_BYTES_MAX),
      uri: uriOf(uri),
    });
    return collectionViewOf(token);
  },
});
