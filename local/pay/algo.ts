import { resolve } from 'node:path';

import { algodUrl } from '../../sandbox/algorand/launch.ts';
import { bankOfSandbox } from '../../sandbox/algorand/sandbox_account.ts';
import { readLocalSettings } from '../settings.ts';
import { NotPaid } from './market.ts';
import type { PayRail } from './rail.ts';

interface DepositTarget {
  readonly network: string;
  readonly address: string;
  readonly note: string;
}

const MICROALGOS = 1_000_000;
const ROUNDS_MAX = 10;

/** Pays on the local Algorand, from its bank, with the note that names the agent. */
export const algo: PayRail = {
  name: 'algo',
  usage: '[--rpc URL] (the sum is in ALGO)',
  async pay(market, { amount, options }, say) {
    const where = await market.call<DepositTarget>('POST /api/v1/algo/deposit', {});
    if (where.network !== 'sandbox') {
      throw new NotPaid(`Only sandboxes are paid from here, not ${where.network}.`);
    }
    say(`address    ${where.address} on Algorand`);
    say(`note       ${where.note}`);
    const url = options.rpc ?? algodUrl(resolve(readLocalSettings().dataDir));
    const tx_id = await send(url, { ...where, microAlgos: Math.round(amount * MICROALGOS) });
    say(`payment    ${tx_id}`);
    await market.call('POST /api/v1/algo/verify', { tx_id });
  },
};

/** Resolves with the id once its round is over. */
async function send(
  url: string,
  { address, note, microAlgos }: DepositTarget & { microAlgos: number },
) {
  const { Algodv2, makePaymentTxnWithSuggestedParamsFromObject, waitForConfirmation } =
    await import('algosdk');
  const { hostname, port } = new URL(url);
  const algod = new Algodv2('', `http://${hostname}`, port);
  const { address: sender, secretKey } = bankOfSandbox();
  const payment = makePaymentTxnWithSuggestedParamsFromObject({
    sender,
    receiver: address,
    amount: microAlgos,
    note: new TextEncoder().encode(note),
    suggestedParams: await algod.getTransactionParams().do(),
  });
  const { txid } = await algod.sendRawTransaction(payment.signTxn(secretKey)).do();
  await waitForConfirmation(algod, txid, ROUNDS_MAX);
  return txid;
}
