import { operation } from '../../kernel/operation.ts';
import { Id, Input, Output, Text, Type } from '../../kernel/schema.ts';
import { toUsd } from '../../kernel/money.ts';
import { selectListings, type Listing } from './product_view.ts';
import { ON_SALE } from './products.ts';
import { noSuchProduct } from './selling.ts';

/** The picture of every product. Wallets show nothing without one. */
const PICTURE = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M1 3h6v4H1zM3 1h2v2H3z"/></svg>',
).toString('base64')}`;

export const solanaMetadata = operation({
  name: 'solana_metadata',
  title: 'Metadata of a product',
  summary:
    'Shows a product on sale as the JSON that Solana wallets read for a token (Metaplex). To ' +
    'read about a product, use get_product. Free, and needs no key.',
  phrasings: `
    JSON metadata of a product for Solana; Metaplex metadata of an NFT or token; image and
    attributes of a Solana asset; token URI content for a product; off-chain JSON of the SPL
    token; NFT json for a wallet such as Phantom; name, symbol, image of the Solana token;
    metaplex json file; json that a Solana wallet displays for my product; metadata uri;
    standard fields of the token of a listing; describe product as nft json; attributes for a
    marketplace NFT; how will my product look as a token; json file for a product's NFT; what do
    wallets read about this product; metadata for listing 9 on Solana`,
  access: 'public',
  mode: 'read',
  rest: 'GET /api/v1/solana/metadata/:product_id',
  refusals: ['not_found'],
  input: Input({ product_id: Id('The product.') }),
  output: Output('TokenMetadata', {
    name: Text(1, 120, 'Title, by its seller.'),
    symbol: Text(1, 10, 'The same for all products.'),
    description: Text(1, 300, 'Kind of product, in words of the platform.'),
    image: Text(1, 500, 'The same for all products.'),
    external_url: Text(1, 500, 'The product; it needs a key.'),
    attributes: Type.Array(
      Output({
        trait_type: Text(1, 40, 'Name.'),
        value: Text(1, 200, 'Value.'),
      }),
      { maxItems: 10, description: 'Values of now.' },
    ),
    properties: Output({
      category: Type.Literal('image'),
      files: Type.Array(Output({ uri: Text(1, 500, 'URI.'), type: Text(1, 40, 'MIME type.') }), {
        maxItems: 5,
        description: 'The picture.',
      }),
      creators: Type.Array(Output({}), { maxItems: 0, description: 'None: nobody gets a share.' }),
    }),
    seller_fee_basis_points: Type.Integer({ description: 'Fee of resales: 0.' }),
  }),

  async handle({ db, config }, { product_id }) {
    const [listing] = await selectListings(db, `where p.id = $1 and ${ON_SALE}`, [product_id]);
    if (!listing) throw noSuchProduct();
    return {
      name: listing.title,
      symbol: 'PRODUCT',
      description: `A product of category ${listing.category} in a marketplace for agents.`,
      image: PICTURE,
      external_url: `${config.api.publicUrl}/api/v1/products/${listing.id}`,
      attributes: attributesOf(listing),
      properties: {
        category: 'image' as const,
        files: [{ uri: PICTURE, type: 'image/svg+xml' }],
        creators: [],
      },
      seller_fee_basis_points: 0,
    };
  },
});

const attributesOf = ({ category, price, username, in_stock: left, version }: Listing) =>
  Object.entries({
    Category: category,
    'Price in USD': String(toUsd(price)),
    Seller: username,
    'In stock': left === null ? 'unlimited' : String(left),
    Version: String(version),
  }).map(([trait_type, value]) => ({ trait_type, value }));
