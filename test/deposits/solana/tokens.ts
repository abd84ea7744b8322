import { Keypair, SystemProgram, TransactionInstruction, type PublicKey } from '@solana/web3.js';

import {
  createTokenAccount,
  mintTo,
  transferTokens,
} from '../../../sandbox/solana/instructions.ts';
import {
  read,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  tokenAccountOf,
  written,
} from '../../../workers/gateways/solana/token_instructions.ts';
import { USDC, type SolanaRig } from './rig.ts';

const DECIMALS = 6;
const MINT_BYTES = 82;
const ACCOUNT_BYTES = 165;
/** Size of a mint of Token-2022 with the extension for fees of transfers. */
const MINT_WITH_FEE_BYTES = 278;

/** A token that is not USDC, of which the payer has some. */
interface OddToken {
  readonly mint: PublicKey;
  readonly program: PublicKey;
}

/** Makes a token like anybody can. */
export const makeToken = (rig: SolanaRig): Promise<OddToken> =>
  make(rig, { program: TOKEN_PROGRAM, bytes: MINT_BYTES, extension: () => [] });

/** Makes a token of Token-2022 that keeps a hundredth of each transfer. */
export const makeTaxedToken = (rig: SolanaRig): Promise<OddToken> =>
  make(rig, {
    program: TOKEN_2022_PROGRAM,
    bytes: MINT_WITH_FEE_BYTES,
    extension: (mint) => [withFee(mint, rig.payer.publicKey)],
  });

interface Kind {
  readonly program: PublicKey;
  readonly bytes: number;
  readonly extension: (mint: PublicKey) => TransactionInstruction[];
}

async function make(rig: SolanaRig, { program, bytes, extension }: Kind): Promise<OddToken> {
  const { publicKey: payer } = rig.payer;
  const made = Keypair.generate();
  const mint = made.publicKey;
  const holding = { owner: payer, mint, program };
  await rig.pay(
    [
      await createAccount(rig, made, { program, bytes }),
      ...extension(mint),
      new TransactionInstruction({
        programId: program,
        keys: [written(mint)],
        // InitializeMint2, with nobody who may freeze.
        data: Buffer.concat([Buffer.from([20, DECIMALS]), payer.toBytes(), Buffer.from([0])]),
      }),
      createTokenAccount({ payer, ...holding }),
      mintTo({
        mint,
        account: tokenAccountOf(holding),
        authority: payer,
        amount: 1_000_000_000n,
        program,
      }),
    ],
    made,
  );
  return { mint, program };
}

const createAccount = async (
  { connection, payer }: SolanaRig,
  made: Keypair,
  { program, bytes }: Pick<Kind, 'program' | 'bytes'>,
) =>
  SystemProgram.createAccount({
    fromPubkey: payer.publicKey,
    newAccountPubkey: made.publicKey,
    space: bytes,
    lamports: await connection.getMinimumBalanceForRentExemption(bytes),
    programId: program,
  });

function withFee(mint: PublicKey, authority: PublicKey): TransactionInstruction {
  const some = Buffer.concat([Buffer.from([1]), authority.toBytes()]);
  const fee = Buffer.alloc(10);
  fee.writeUInt16LE(100, 0);
  fee.writeBigUInt64LE(1_000_000_000n, 2);
  return new TransactionInstruction({
    programId: TOKEN_2022_PROGRAM,
    keys: [written(mint)],
    // InitializeTransferFeeConfig.
    data: Buffer.concat([Buffer.from([26, 0]), some, some, fee]),
  });
}

/** From the payer to the account that the owner has for it. */
export function moveTokens(
  { payer: { publicKey: payer } }: SolanaRig,
  { mint, program }: OddToken,
  owner: PublicKey,
  amount: bigint,
): TransactionInstruction[] {
  return [
    createTokenAccount({ payer, owner, mint, program }),
    transferTokens({
      from: tokenAccountOf({ owner: payer, mint, program }),
      mint,
      to: tokenAccountOf({ owner, mint, program }),
      owner: payer,
      amount,
      decimals: DECIMALS,
      program,
    }),
  ];
}

/** USDC into a new account of the owner, which is not the one that everybody derives. */
export async function payAside(
  rig: SolanaRig,
  owner: PublicKey,
  amount: bigint,
  ...more: TransactionInstruction[]
): Promise<string> {
  const made = Keypair.generate();
  const { publicKey: payer } = rig.payer;
  return rig.pay(
    [
      await createAccount(rig, made, { program: TOKEN_PROGRAM, bytes: ACCOUNT_BYTES }),
      new TransactionInstruction({
        programId: TOKEN_PROGRAM,
        keys: [written(made.publicKey), read(USDC)],
        data: Buffer.concat([Buffer.from([18]), owner.toBytes()]), // InitializeAccount3.
      }),
      transferTokens({
        from: tokenAccountOf({ owner: payer, mint: USDC }),
        mint: USDC,
        to: made.publicKey,
        owner: payer,
        amount,
        decimals: DECIMALS,
      }),
      ...more,
    ],
    made,
  );
}
