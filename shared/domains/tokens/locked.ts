/**
 * Balances in micro-ALGO that an account must keep for ever for what it has: an asset, a box of an
 * application, and each byte of the name and content of a box.
 */
export const KEPT = { asset: 100_000n, box: 2_500n, byte: 400n } as const;

/** A box with a name of so many bytes, and content. */
interface Box {
  readonly name: number;
  readonly content: number;
}

/** Boxes of an NFT: its owner, who is approved and its URI; and how many its owner has. */
const boxesOf = (uri: string): readonly [token: Box, balance: Box] => [
  { name: 33, content: 64 + Buffer.byteLength(uri) },
  { name: 33, content: 8 },
];

const keptFor = ({ name, content }: Box): bigint => KEPT.box + KEPT.byte * BigInt(name + content);

/** Balance in micro-ALGO that the contract keeps for an NFT; less if its owner has another one. */
export const keptForNft = (uri: string): bigint =>
  boxesOf(uri).reduce((sum, box) => sum + keptFor(box), 0n);
