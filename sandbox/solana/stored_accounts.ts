import { LiteSVM } from 'litesvm';

import { accountAt, type Account } from './token_account.ts';

/** An account as JSON, which has no bigint and no bytes. */
export interface StoredAccount {
  readonly address: string;
  readonly owner: string;
  readonly lamports: string;
  /** Base 64. */
  readonly data: string;
  readonly executable: boolean;
}

/** System variables such as the clock: each new machine has them, and the slots set them. */
const SYSVARS = 'Sysvar1111111111111111111111111111111111111';

/** A machine with these accounts. The chain checks block hashes, because it knows its slots. */
export function machineWith(accounts: readonly StoredAccount[]): LiteSVM {
  const svm = new LiteSVM().withBlockhashCheck(false);
  for (const { address, owner, lamports, data, executable } of accounts) {
    const bytes = Buffer.from(data, 'base64');
    svm.setAccount({
      address,
      programAddress: owner,
      lamports: BigInt(lamports),
      data: new Uint8Array(bytes),
      executable,
      space: BigInt(bytes.length),
    } as unknown as Account);
  }
  return svm;
}

/**
 * The accounts at these addresses that differ from a new machine. litesvm can store a machine
 * itself only in a version that npm has for one platform.
 */
export function accountsOf(svm: LiteSVM, addresses: Iterable<string>): StoredAccount[] {
  const untouched = new LiteSVM();
  return [...addresses].flatMap((address) => {
    const account = accountAt(svm, address);
    if (!account || account.programAddress === SYSVARS) return [];
    const stored = storedAccount(account);
    const was = accountAt(untouched, address);
    return was && JSON.stringify(storedAccount(was)) === JSON.stringify(stored) ? [] : [stored];
  });
}

const storedAccount = (account: Account): StoredAccount => ({
  address: account.address,
  owner: account.programAddress,
  lamports: String(account.lamports),
  data: Buffer.from(account.data).toString('base64'),
  executable: account.executable,
});
