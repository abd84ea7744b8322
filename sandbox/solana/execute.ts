import { AddressLookupTableAccount, VersionedTransaction } from '@solana/web3.js';
import { FailedTransactionMetadata, type LiteSVM } from 'litesvm';

import { toBase58 } from '../../shared/domains/deposits/solana/base58.ts';
import { messageOf, RpcError, transactionError, type TransactionError } from './rpc_error.ts';
import { accountAt, tokenAccount, uiAmount } from './token_account.ts';

/** Effects of a transaction, without its time. */
export interface Execution {
  readonly signature: string;
  /** The bytes as sent. */
  readonly bytes: Uint8Array;
  /** All its accounts, those of lookup tables last. */
  readonly keys: readonly string[];
  readonly loaded: { readonly writable: readonly string[]; readonly readonly: readonly string[] };
  /** null: it succeeded. */
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly inner: readonly {
    readonly index: number;
    readonly instructions: readonly InnerInstruction[];
  }[];
  readonly units: number;
  readonly fee: number;
  readonly before: Balances;
  readonly after: Balances;
}

/** An instruction that a program called. */
export interface InnerInstruction {
  readonly program: number;
  readonly accounts: readonly number[];
  /** Base 64. */
  readonly data: string;
  readonly stackHeight: number;
}

interface Balances {
  /** Balances in the order of the keys. */
  readonly lamports: readonly number[];
  readonly tokens: readonly object[];
}

/**
 * Runs a transaction in the virtual machine, and checks signatures. Throws RpcError for what no
 * block would contain: a forged signature, or a payer who cannot pay the fee.
 */
export function execute(svm: LiteSVM, bytes: Uint8Array): Execution {
  const { transaction, signed } = parse(bytes);
  const { keys, loaded } = accountsOf(svm, transaction);
  const before = balancesOf(svm, keys);
  const result = svm.sendTransaction(signed);
  const isFailed = result instanceof FailedTransactionMetadata;
  const error = isFailed ? transactionError(result) : null;
  const meta = isFailed ? result.meta() : result;
  const after = balancesOf(svm, keys);
  // The sum of all balances decreases by the fee, and by nothing else.
  const fee = sum(before.lamports) - sum(after.lamports);
  if (error !== null && fee === 0) throw refused(error, meta.logs());
  return {
    signature: toBase58(transaction.signatures[0]!),
    bytes,
    keys,
    loaded,
    error,
    logs: meta.logs(),
    inner: meta
      .innerInstructions()
      .map((calls, index) => ({
        index,
        instructions: calls.map((call) => ({
          program: call.instruction().programIdIndex(),
          accounts: [...call.instruction().accounts()],
          data: Buffer.from(call.instruction().data()).toString('base64'),
          stackHeight: call.stackHeight(),
        })),
      }))
      .filter(({ instructions }) => instructions.length > 0),
    units: Number(meta.computeUnitsConsumed()),
    fee,
    before,
    after,
  };
}

/** Effects that a transaction would have. */
export function simulate(svm: LiteSVM, bytes: Uint8Array) {
  const result = svm.simulateTransaction(parse(bytes).signed);
  const error = result instanceof FailedTransactionMetadata ? transactionError(result) : null;
  const meta = result.meta();
  return { error, logs: meta.logs(), units: Number(meta.computeUnitsConsumed()) };
}

/** A node's refusal of a transaction before it is sent on. */
export function refused(error: TransactionError, logs: readonly string[] = []): RpcError {
  if (error === 'SignatureFailure') {
    return new RpcError(-32003, 'Transaction signature verification failure');
  }
  const data = { err: error, logs, accounts: null, unitsConsumed: 0, returnData: null };
  return new RpcError(-32002, `Transaction simulation failed: ${messageOf(error)}`, data);
}

/** Reads the bytes for web3.js and for litesvm. */
export function parse(bytes: Uint8Array) {
  const transaction = read(bytes);
  const { message, signatures } = transaction;
  const signers = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures);
  const signed = {
    messageBytes: message.serialize(),
    signatures: Object.fromEntries(signers.map((key, i) => [key.toBase58(), signatures[i]])),
  } as unknown as Parameters<LiteSVM['sendTransaction']>[0];
  return { transaction, signed };
}

function read(bytes: Uint8Array): VersionedTransaction {
  try {
    return VersionedTransaction.deserialize(bytes);
  } catch (error) {
    throw new RpcError(-32602, `failed to deserialize transaction: ${(error as Error).message}`);
  }
}

function accountsOf(svm: LiteSVM, { message }: VersionedTransaction) {
  const tables = message.addressTableLookups.map(({ accountKey }) => {
    const table = accountAt(svm, accountKey.toBase58());
    if (!table) throw refused('AddressLookupTableNotFound');
    const state = AddressLookupTableAccount.deserialize(Uint8Array.from(table.data));
    return new AddressLookupTableAccount({ key: accountKey, state });
  });
  const found = message.getAccountKeys({ addressLookupTableAccounts: tables });
  const texts = (keys: readonly { toBase58(): string }[] = []) => keys.map((key) => key.toBase58());
  return {
    keys: texts(found.keySegments().flat()),
    loaded: {
      writable: texts(found.accountKeysFromLookups?.writable),
      readonly: texts(found.accountKeysFromLookups?.readonly),
    },
  };
}

function balancesOf(svm: LiteSVM, keys: readonly string[]): Balances {
  const accounts = keys.map((key) => accountAt(svm, key));
  return {
    lamports: accounts.map((account) => Number(account?.lamports ?? 0n)),
    tokens: accounts.flatMap((account, accountIndex) => {
      const held = tokenAccount(svm, account);
      if (!held) return [];
      const { mint, owner, program: programId } = held;
      const uiTokenAmount = uiAmount(held.amount, held.decimals);
      return [{ accountIndex, mint, owner, programId, uiTokenAmount }];
    }),
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
