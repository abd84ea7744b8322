import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Wallet } from 'ethers';

import { FINAL_AFTER, startEvm, type Evm } from '../../sandbox/evm/anvil.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';

/** A chain with a hot wallet that has money and gas, and the settings that name both. */
export interface Chain {
  readonly evm: Evm;
  readonly wallet: Wallet;
  readonly env: Record<string, string>;
}

export async function openChain({ usd = 1_000 } = {}): Promise<Chain> {
  const evm = await startEvm();
  const wallet = new Wallet(Wallet.createRandom().privateKey);
  await evm.fund(wallet.address, 10n ** 18n);
  await evm.mint(wallet.address, BigInt(usd) * 1_000_000n);
  await evm.mine(FINAL_AFTER);
  const env = {
    BASE_RPC_URLS: evm.url,
    SANDBOX: 'base',
    BASE_KEY_FILE: keyFile(wallet),
    WITHDRAWAL_HOLD_HOURS: '0',
  };
  return { evm, wallet, env };
}

function keyFile({ privateKey }: { privateKey: string }): string {
  const file = join(mkdtempSync(join(tmpdir(), 'hot_wallet-')), 'key');
  writeFileSync(file, `${privateKey}\n`);
  chmodSync(file, 0o600);
  return file;
}

export const newAddress = (): string => Wallet.createRandom().address;

/** One call of withdraw; its answer. */
export const withdraw = (
  platform: TestPlatform,
  agent: { key: string },
  body: { amount: number; address: string },
) => platform.request('POST /api/v1/wallet/withdrawals', { key: agent.key, body });

interface WithdrawalRow {
  readonly id: number;
  readonly status: string;
  readonly nonce: number | null;
  readonly tx_hash: string | null;
  readonly needs: string | null;
}

export async function rowOf(platform: TestPlatform, id: number): Promise<WithdrawalRow> {
  const sql = 'select id::int, status, nonce::int, tx_hash, needs from withdrawal where id = $1';
  const [row] = await platform.query(sql, [id]);
  return row;
}

/** Rounds of payments and blocks, until it is closed; how it is then. */
export const untilClosed = (
  platform: TestPlatform,
  { evm }: Pick<Chain, 'evm'>,
  id: number,
): Promise<WithdrawalRow> =>
  eventually(
    async () => {
      await runTimer(platform, 'pay_withdrawals');
      await evm.mine(FINAL_AFTER);
      return rowOf(platform, id);
    },
    ({ status }) => ['paid', 'failed', 'cancelled'].includes(status),
  );
