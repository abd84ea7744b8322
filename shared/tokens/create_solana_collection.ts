import { operation } from '../kernel/operation.ts';
import { Input, Text } from '../kernel/schema.ts';
import { ShownLine } from '../kernel/text.ts';
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
    'Makes your collection on Solana: a group of Token-2022, which NFTs can be members of. An ' +
    'agent has one. Nobody can change its name. Takes a fee from the wallet, $2 unless this ' +
    'marketplace has set another, and gives it back if it fails.',
  access: 'sell',
  mode: 'job',
  domain: 'tokens',
  queue: 'money',
  rest: 'POST /api/v1/solana/collection',
  destructive: true,
  refusals: [...SPENDING_REFUSALS, 'rail_unavailable', 'invalid_transition'],
  input: Input({
    name: ShownLine(Text(1, NAME_BYTES_MAX, 'Up to 32 bytes of UTF-8.')),
    symbol: ShownLine(Text(1, SYMBOL_BYTES_MAX, 'A short name, up to 8 bytes.')),
    uri: Text(1, 256, 'ipfs://… (or https://…) of its metadata, in JSON. For ever.'),
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
