import type { SolanaChain } from '../chain.ts';
import { commitmentIn, withContext, type Method } from './method.ts';
import { invalid } from '../rpc_error.ts';
import {
  accountAt,
  mintAt,
  TOKEN_PROGRAMS,
  tokenAccount,
  uiAmount,
  type Account,
  type Address,
} from '../token_account.ts';

/** Methods for accounts. They return the current state, whatever the commitment. */
export function accountMethods(chain: SolanaChain): Record<string, Method> {
  const answer = <T>(value: T) => withContext(chain, value);
  const json = (account: Account | undefined, encoding: string | undefined) =>
    account ? accountJson(chain, account, encoding) : null;
  const ofProgram = (program: string) => chain.svm().getProgramAccounts(program as Address);

  return {
    getMinimumBalanceForRentExemption: ([bytes]) =>
      Number(chain.svm().minimumBalanceForRentExemption(BigInt(bytes))),
    getBalance: ([address]) => answer(Number(accountAt(chain.svm(), address)?.lamports ?? 0n)),
    getAccountInfo: ([address, options]) =>
      answer(json(accountAt(chain.svm(), address), options?.encoding)),
    getMultipleAccounts: ([addresses, options]) =>
      withContext(
        chain,
        addresses.map((address: string) =>
          json(accountAt(chain.svm(), address), options?.encoding),
        ),
        options?.commitment && commitmentIn(options),
      ),
    getTokenAccountBalance([address]) {
      const held = tokenAccount(chain.svm(), accountAt(chain.svm(), address));
      if (!held) throw invalid('could not find account');
      return answer(uiAmount(held.amount, held.decimals));
    },
    getTokenSupply([address]) {
      const mint = mintAt(chain.svm(), address);
      if (!mint) throw invalid('could not find mint');
      return answer(uiAmount(mint.supply, mint.decimals));
    },
    getTokenAccountsByOwner([owner, filter, options]) {
      const programs = [...TOKEN_PROGRAMS.keys()].filter(
        (program) => !filter.programId || filter.programId === program,
      );
      const found = programs.flatMap(ofProgram).filter((account) => {
        const held = tokenAccount(chain.svm(), account);
        return held?.owner === owner && (!filter.mint || held?.mint === filter.mint);
      });
      return answer(found.map((account) => listed(chain, account, options?.encoding)));
    },
    getProgramAccounts: ([program, options]) =>
      ofProgram(program)
        .filter(({ data }) =>
          (options?.filters ?? []).every(
            ({ dataSize }: { dataSize?: number }) =>
              dataSize === undefined || dataSize === data.length,
          ),
        )
        .map((account) => listed(chain, account, options?.encoding)),
  };
}

const listed = (chain: SolanaChain, account: Account, encoding: string | undefined) => ({
  pubkey: account.address,
  account: accountJson(chain, account, encoding),
});

function accountJson(chain: SolanaChain, account: Account, encoding: string | undefined) {
  const space = account.data.length;
  const held = encoding === 'jsonParsed' ? tokenAccount(chain.svm(), account) : undefined;
  const data = held
    ? {
        program: TOKEN_PROGRAMS.get(held.program),
        space,
        parsed: {
          type: 'account',
          info: {
            isNative: held.isNative,
            mint: held.mint,
            owner: held.owner,
            state: held.isFrozen ? 'frozen' : 'initialized',
            tokenAmount: uiAmount(held.amount, held.decimals),
          },
        },
      }
    : [Buffer.from(account.data).toString('base64'), 'base64'];
  return {
    lamports: Number(account.lamports),
    owner: account.programAddress,
    data,
    executable: account.executable,
    rentEpoch: Number.MAX_SAFE_INTEGER,
    space,
  };
}
