import { createHash } from 'node:crypto';

import {
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';

import type { TokenOrder } from '../../../shared/domains/tokens/token_gateway.ts';
import type { SolanaSigner } from './signer.ts';
import { UNITS_MAX } from './priority_fee.ts';
import { read, signed, TOKEN_2022_PROGRAM, written } from './token_instructions.ts';

type Collection = Extract<TokenOrder, { kind: 'collection' }>;

/** More members than anybody makes; a group must have a limit. */
const MEMBERS_MAX = 1_000_000n;
/** Bytes of a mint before its extensions: `Mint`, padded to the length of an account, and 1. */
const MINT_BYTES = 166;
/** Bytes for the kind and the length of an extension. */
const HEAD_BYTES = 4;
const POINTER_BYTES = 64;
const GROUP_BYTES = 80;
/** Bytes of the update authority, the mint, and the lengths of three texts and an empty list. */
const METADATA_BYTES = 80;
const NOBODY = Buffer.alloc(32);

/**
 * The address of the collection of one call: it follows from the wallet and the call's key. So of
 * two transactions for one call the second fails, even if the first was forgotten. Nobody else can
 * create it, because the wallet has to sign.
 */
export const mintOf = (wallet: PublicKey, key: string): Promise<PublicKey> =>
  PublicKey.createWithSeed(wallet, seedOf(key), TOKEN_2022_PROGRAM);

/** A seed of 32 characters, the maximum. */
const seedOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 32);

/** Final length of its account, which determines the rent. */
export const bytesOf = ({ name, symbol, uri }: Collection): number =>
  MINT_BYTES +
  2 * (HEAD_BYTES + POINTER_BYTES) +
  (HEAD_BYTES + METADATA_BYTES + Buffer.byteLength(name + symbol + uri)) +
  (HEAD_BYTES + GROUP_BYTES);

interface CollectionContext {
  readonly signer: SolanaSigner;
  readonly key: string;
  /** Lamports that the account must keep. */
  readonly rent: number;
  /** Micro-lamports for each compute unit; 0: it waits for its turn. */
  readonly priorityFee: number;
  readonly blockhash: string;
  readonly lastValidBlockHeight: number;
}

/**
 * A signed transaction that makes a Token-2022 mint without supply, with metadata and a group.
 * Nobody can change these; the wallet adds members.
 */
export async function collectionTransaction(
  collection: Collection,
  { signer, key, rent, priorityFee, ...latest }: CollectionContext,
): Promise<Transaction> {
  const { owner } = signer;
  const mint = await mintOf(owner, key);
  const transaction = new Transaction({ feePayer: owner, ...latest });
  if (priorityFee > 0) {
    transaction.add(
      ComputeBudgetProgram.setComputeUnitLimit({ units: UNITS_MAX }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: priorityFee }),
    );
  }
  transaction.add(
    // Not createAccount, which fails if somebody sent a lamport to the address before.
    SystemProgram.transfer({ fromPubkey: owner, toPubkey: mint, lamports: rent }),
    SystemProgram.allocate({
      accountPubkey: mint,
      basePubkey: owner,
      seed: seedOf(key),
      space: MINT_BYTES + 2 * (HEAD_BYTES + POINTER_BYTES),
      programId: TOKEN_2022_PROGRAM,
    }),
    ...instructionsOf(collection, mint, owner),
  );
  await signer.sign(transaction);
  return transaction;
}

/** https://github.com/solana-program/token-2022, and its interfaces for metadata and groups. */
function instructionsOf({ name, symbol, uri }: Collection, mint: PublicKey, owner: PublicKey) {
  const of = (data: readonly (Uint8Array | number[])[], keys = [written(mint)]) =>
    new TransactionInstruction({
      programId: TOKEN_2022_PROGRAM,
      keys,
      data: Buffer.concat(data.map((part) => Buffer.from(part))),
    });
  const byOwner = [written(mint), signed(owner)];
  return [
    // MetadataPointer and GroupPointer: both point to the mint, and nobody may change that.
    of([[39, 0], NOBODY, mint.toBytes()]),
    of([[40, 0], NOBODY, mint.toBytes()]),
    // InitializeMint2: no decimals, and nobody who may freeze.
    of([[20, 0], owner.toBytes(), [0]]),
    of(
      [
        interfaceOf('spl_token_metadata_interface:initialize_account'),
        ...[name, symbol, uri].map(borsh),
      ],
      [written(mint), read(owner), read(mint), signed(owner)],
    ),
    of([interfaceOf('spl_token_metadata_interface:update_the_authority'), NOBODY], byOwner),
    of(
      [
        interfaceOf('spl_token_group_interface:initialize_token_group'),
        owner.toBytes(),
        uint64(MEMBERS_MAX),
      ],
      [written(mint), read(mint), signed(owner)],
    ),
    // SetAuthority: nobody may mint.
    of([[6, 0, 0]], byOwner),
  ];
}

const interfaceOf = (name: string): Buffer =>
  createHash('sha256').update(name).digest().subarray(0, 8);

function borsh(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}
