import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';

import {
  ACCOUNT_PROGRAM,
  read,
  signed,
  TOKEN_PROGRAM,
  tokenAccountOf,
  written,
  type Holding,
} from '../../workers/gateways/solana/token_instructions.ts';

/** Instructions of payers: of the token programs and of the memo program. */

const MEMO_PROGRAM = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

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

/** A signing account that may also pay. */
const signer = (pubkey: PublicKey) => ({ pubkey, isSigner: true, isWritable: true });
