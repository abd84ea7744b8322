import type { LiteSVM } from 'litesvm';

import { toBase58 } from '../../shared/domains/deposits/solana/base58.ts';

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

/** Token programs, with their names in parsed answers. */
export const TOKEN_PROGRAMS: ReadonlyMap<string, string> = new Map([
  [TOKEN_PROGRAM, 'spl-token'],
  [TOKEN_2022_PROGRAM, 'spl-token-2022'],
]);

export type Account = ReturnType<LiteSVM['getProgramAccounts']>[number];
export type Address = Account['address'];

/** Content of a token account. */
interface TokenAccount {
  readonly program: string;
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
  readonly decimals: number;
  readonly isFrozen: boolean;
  readonly isNative: boolean;
}

/** The current account; undefined: there is none. */
export function accountAt(svm: LiteSVM, address: string): Account | undefined {
  const account = svm.getAccount(address as Address);
  return account.exists ? account : undefined;
}

const ACCOUNT_BYTES = 165;
const MINT_BYTES = 82;
/** Offset of the type, behind the common fields, in accounts with extensions. */
const TYPE_AT = 165;
const TYPE_OF_ACCOUNT = 2;

/** Reads the layout of the token program. Undefined: it is no token account. */
export function tokenAccount(svm: LiteSVM, account: Account | undefined): TokenAccount | undefined {
  if (!account || !TOKEN_PROGRAMS.has(account.programAddress)) return undefined;
  const data = Buffer.from(account.data);
  if (data.length < ACCOUNT_BYTES) return undefined;
  if (data.length > ACCOUNT_BYTES && data[TYPE_AT] !== TYPE_OF_ACCOUNT) return undefined;
  const state = data[108]!;
  if (state === 0) return undefined;
  const mint = toBase58(data.subarray(0, 32));
  return {
    program: account.programAddress,
    mint,
    owner: toBase58(data.subarray(32, 64)),
    amount: data.readBigUInt64LE(64),
    decimals: mintAt(svm, mint)?.decimals ?? 0,
    isFrozen: state === 2,
    isNative: data.readUInt32LE(109) === 1,
  };
}

/** A kind of token. Undefined: no mint is at this address. */
export function mintAt(
  svm: LiteSVM,
  address: string,
): { readonly supply: bigint; readonly decimals: number } | undefined {
  const account = accountAt(svm, address);
  if (!account || !TOKEN_PROGRAMS.has(account.programAddress)) return undefined;
  const data = Buffer.from(account.data);
  if (data.length < MINT_BYTES) return undefined;
  return { supply: data.readBigUInt64LE(36), decimals: data[44]! };
}

/** An amount of tokens as JSON-RPC shows it. */
export function uiAmount(amount: bigint, decimals: number) {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  const uiAmountString = fraction ? `${whole}.${fraction}` : whole;
  return {
    amount: amount.toString(),
    decimals,
    uiAmount: Number(uiAmountString),
    uiAmountString,
  };
}
