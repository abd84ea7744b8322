/** An error that a node answers in place of a result. The codes are Solana's. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: object | undefined;

  constructor(code: number, message: string, data?: object) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const invalid = (message: string) => new RpcError(-32602, `Invalid param: ${message}`);

/** Reason of a failed transaction in JSON-RPC. */
export type TransactionError =
  string | { readonly InstructionError: readonly [number, string | { readonly Custom: number }] };

/** Reads litesvm's error, whose names are only in its text. */
export function transactionError(failed: { toString(): string }): TransactionError {
  const text = failed.toString();
  const inside = /err: InstructionError\((\d+), (?:Custom\((\d+)\)|(\w+))/.exec(text);
  if (!inside) return /err: (\w+)/.exec(text)?.[1] ?? 'UnknownError';
  const [, index, custom, name] = inside;
  return { InstructionError: [Number(index), name ?? { Custom: Number(custom) }] };
}

/** A node's message, which clients show. */
export function messageOf(error: TransactionError): string {
  if (typeof error === 'string') return MESSAGES[error] ?? error;
  const [index, reason] = error.InstructionError;
  const why =
    typeof reason === 'string' ? reason : `custom program error: 0x${reason.Custom.toString(16)}`;
  return `Error processing Instruction ${index}: ${why}`;
}

const MESSAGES: Readonly<Record<string, string>> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
};
