import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { storedValue } from '../../local/stored_values.ts';
import { bankOfSandbox, sandboxAccount, type SandboxAccount } from './sandbox_account.ts';

const NAME = 'algorand_issuer';
/** In micro-ALGO: enough for some thousand tokens. */
const LEAST = 1_000_000_000n;

interface Issuer extends SandboxAccount {
  /** Value for ALGO_KEY_FILE. */
  readonly keyFile: string;
}

/** The wallet that issues tokens on the local network; made when missing. */
export function issuerOf(dataDir: string): Issuer {
  const seed = storedValue(dataDir, NAME, () => randomBytes(32).toString('hex'));
  return { ...sandboxAccount(Buffer.from(seed, 'hex')), keyFile: join(dataDir, NAME) };
}

/** Gives it play money if it has too little. `url` is of the node. */
export async function fundIssuer(dataDir: string, url: string): Promise<void> {
  const sdk = await import('algosdk');
  const { hostname, port } = new URL(url);
  const algod = new sdk.Algodv2('', `http://${hostname}`, port);
  const { address } = issuerOf(dataDir);
  const { amount } = await algod.accountInformation(address).do();
  if (amount >= LEAST) return;
  const bank = bankOfSandbox();
  const payment = sdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: bank.address,
    receiver: address,
    amount: LEAST,
    suggestedParams: await algod.getTransactionParams().do(),
  });
  await algod.sendRawTransaction(payment.signTxn(bank.secretKey)).do();
}
