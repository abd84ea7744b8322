import { resolve } from 'node:path';

import { algodUrl, algorandBank } from '../sandbox/algorand/launch.ts';
import { sandboxPrice } from '../sandbox/prices/launch.ts';
import { readLocalSettings } from '../settings.ts';
import { NotPaid } from './market.ts';
import type { PayRail } from './rail.ts';

interface Where {
  readonly network: string;
  readonly address: string;
  readonly note: string;
}

const MICROALGOS = 1_000_000;
const ROUNDS_MAX = 10;

/** With the ALGO of the sandbox, and the note that says whose the payment is. */
export const algo: PayRail = {
  name: 'algo',
  usage: '',
  async pay(market, { amount }, say) {
    const { network, address, note } = await market.call<Where>('POST /api/v1/algo/deposit', {});
    if (network !== 'sandbox') {
      throw new NotPaid(
        `This marketplace takes ALGO on ${network}: pay ${address} with a wallet, with the note ` +
          `${note}. Only the sandbox is paid from here.`,
      );
    }
    const dataDir = resolve(readLocalSettings().dataDir);
    const price = await sandboxPrice(dataDir, 'ALGO');
    const microAlgos = Math.ceil((amount / price) * MICROALGOS);
    say(`address    ${address}`);
    say(`note       ${note}`);
    say(`amount     ${microAlgos / MICROALGOS} ALGO, at $${price}`);

    const sdk = await import('algosdk');
    const { address: sender, secretKey } = algorandBank(dataDir);
    const { hostname, port } = new URL(algodUrl(dataDir));
    const algod = new sdk.Algodv2('', `http://${hostname}`, port);
    const payment = sdk.makePaymentTxnWithSuggestedParamsFromObject({
      sender,
      receiver: address,
      amount: microAlgos,
      note: new TextEncoder().encode(note),
      suggestedParams: await algod.getTransactionParams().do(),
    });
    const { txid } = await algod.sendRawTransaction(payment.signTxn(secretKey)).do();
    await sdk.waitForConfirmation(algod, txid, ROUNDS_MAX);
    say(`tx_id      ${txid}`);
    await market.call('POST /api/v1/algo/verify', { tx_id: txid });
  },
};
