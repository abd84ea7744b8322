import type { VersionedTransaction } from '@solana/web3.js';

import { toBase58 } from '../../../shared/domains/deposits/solana/base58.ts';
import type { RecordedTransaction } from '../chain.ts';
import { parse, type InnerInstruction } from '../execute.ts';
import { parsedInstruction } from './parsed_instruction.ts';

type Encoding = 'json' | 'jsonParsed' | 'base64' | 'base58';

/** A transaction as getTransaction answers it. */
export function transactionJson(
  found: RecordedTransaction,
  encoding: Encoding,
  decimals: Decimals,
) {
  const { transaction } = parse(found.bytes);
  const isParsed = encoding === 'jsonParsed';
  const instructions = instructionsOf(found, isParsed, decimals);
  return {
    slot: found.slot,
    blockTime: found.time,
    version: transaction.version,
    meta: {
      err: found.error,
      status: statusOf(found),
      fee: found.fee,
      preBalances: found.before.lamports,
      postBalances: found.after.lamports,
      preTokenBalances: found.before.tokens,
      postTokenBalances: found.after.tokens,
      innerInstructions: found.inner.map(({ index, instructions: calls }) => ({
        index,
        instructions: calls.map(instructions),
      })),
      logMessages: found.logs,
      rewards: [],
      computeUnitsConsumed: found.units,
      ...(!isParsed && { loadedAddresses: found.loaded }),
    },
    transaction:
      encoding === 'base64'
        ? [Buffer.from(found.bytes).toString('base64'), encoding]
        : encoding === 'base58'
          ? [toBase58(found.bytes), encoding]
          : readable(found, transaction, instructions, isParsed),
  };
}

export const statusOf = ({ error }: Pick<RecordedTransaction, 'error'>) =>
  error === null ? { Ok: null } : { Err: error };

/** Decimals of a mint. */
type Decimals = (mint: string) => number;

type ToJson = (
  instruction: Omit<InnerInstruction, 'stackHeight'> & { stackHeight: number | null },
) => object;

function readable(
  { keys }: RecordedTransaction,
  { message, signatures, version }: VersionedTransaction,
  instructions: ToJson,
  isParsed: boolean,
) {
  const ownKeys = message.staticAccountKeys.length;
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } =
    message.header;
  return {
    signatures: signatures.map(toBase58),
    message: {
      accountKeys: isParsed
        ? keys.map((pubkey, i) => ({
            pubkey,
            signer: message.isAccountSigner(i),
            writable: message.isAccountWritable(i),
            source: i < ownKeys ? 'transaction' : 'lookupTable',
          }))
        : keys.slice(0, ownKeys),
      ...(!isParsed && {
        header: { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts },
      }),
      recentBlockhash: message.recentBlockhash,
      instructions: message.compiledInstructions.map((instruction) =>
        instructions({
          program: instruction.programIdIndex,
          accounts: [...instruction.accountKeyIndexes],
          data: Buffer.from(instruction.data).toString('base64'),
          stackHeight: null,
        }),
      ),
      ...(version === 0 && {
        addressTableLookups: message.addressTableLookups.map((lookup) => ({
          accountKey: lookup.accountKey.toBase58(),
          writableIndexes: [...lookup.writableIndexes],
          readonlyIndexes: [...lookup.readonlyIndexes],
        })),
      }),
    },
  };
}

const instructionsOf =
  ({ keys }: RecordedTransaction, isParsed: boolean, decimals: Decimals): ToJson =>
  ({ program, accounts, data, stackHeight }) => {
    const bytes = Buffer.from(data, 'base64');
    if (!isParsed) {
      return { programIdIndex: program, accounts, data: toBase58(bytes), stackHeight };
    }
    const programId = keys[program]!;
    const addresses = accounts.map((index) => keys[index]!);
    const parsed = parsedInstruction({ programId, addresses, bytes }, decimals);
    return parsed
      ? { ...parsed, programId, stackHeight }
      : { programId, accounts: addresses, data: toBase58(bytes), stackHeight };
  };
