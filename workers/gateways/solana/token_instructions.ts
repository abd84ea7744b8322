import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';

/** Instructions of the token programs and of the memo program that are sent from here. */

export const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022_PROGRAM = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
const ACCOUNT_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
const MEMO_PROGRAM = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

interface Holding {
  readonly owner: PublicKey;
  readonly mint: PublicKey;
  /** Program of the mint. Absent: the first token program, to which USDC belongs. */
  readonly program?: PublicKey;
}

/** The account that holds an owner's tokens of a mint: the associated token account. */
export function tokenAccountOf({ owner, mint, program = TOKEN_PROGRAM }: Holding): PublicKey {
  const seeds = [owner.toBytes(), program.toBytes(), mint.toBytes()];
  return PublicKey.findProgramAddressSync(seeds, ACCOUNT_PROGRAM)[0];
}

/** Creates the account, unless it exists. */
export function createTokenAccount(holding: Holding & { payer: PublicKey }) {
  const { owner, mint, payer, program = TOKEN_PROGRAM } = holding;
  return new TransactionInstruction({
    programId: ACCOUNT_PROGRAM,
    keys: [
      signer(payer),
      written(tokenAccountOf(holding)),
      read(owner),
      read(mint),
      read(SystemProgram.programId),
      read(program),
    ],
    data: Buffer.from([1]),
  });
}

interface Minting {
  readonly mint: PublicKey;
  readonly account: PublicKey;
  readonly authority: PublicKey;
  readonly amount: bigint;
  readonly program?: PublicKey;
}

export const mintTo = ({ mint, account, authority, amount, program }: Minting) =>
  new TransactionInstruction({
    programId: program ?? TOKEN_PROGRAM,
    keys: [written(mint), written(account), signed(authority)],
    data: withAmount(7, amount),
  });

interface TokenTransfer {
  readonly from: PublicKey;
  readonly mint: PublicKey;
  readonly to: PublicKey;
  readonly owner: PublicKey;
  readonly amount: bigint;
  readonly decimals: number;
  readonly program?: PublicKey;
}

/** Transfers between token accounts, `from` and `to`. */
export const transferTokens = (transfer: TokenTransfer) =>
  new TransactionInstruction({
    programId: transfer.program ?? TOKEN_PROGRAM,
    keys: [
      written(transfer.from),
      read(transfer.mint),
      written(transfer.to),
      signed(transfer.owner),
    ],
    data: Buffer.concat([withAmount(12, transfer.amount), Buffer.from([transfer.decimals])]),
  });

export const memo = (text: string) =>
  new TransactionInstruction({ programId: MEMO_PROGRAM, keys: [], data: Buffer.from(text) });

function withAmount(instruction: number, amount: bigint): Buffer {
  const data = Buffer.alloc(9);
  data[0] = instruction;
  data.writeBigUInt64LE(amount, 1);
  return data;
}

export const read = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: false });
export const written = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: true });
export const signed = (pubkey: PublicKey) => ({ pubkey, isSigner: true, isWritable: false });
/** A signing account that may also pay. */
const signer = (pubkey: PublicKey) => ({ pubkey, isSigner: true, isWritable: true });
