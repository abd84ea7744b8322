// A call without an account, paid by x402: pay_by_x402.mjs <file of the wallet's key> [base URL]
import { readFileSync } from 'node:fs';

import { x402Client } from '@x402/core/client';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { decodePaymentResponseHeader, wrapFetchWithPayment } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

const [keyFile, base = 'http://localhost:3000'] = process.argv.slice(2);
const key = readFileSync(keyFile, 'utf8').trim();

const client = new x402Client();
registerExactEvmScheme(client, { signer: privateKeyToAccount(key) });
const fetchAndPay = wrapFetchWithPayment(fetch, client);

const response = await fetchAndPay(`${base}/x402/api/v1/email/validate/ada@gmail.com`);
const payment = decodePaymentResponseHeader(response.headers.get('payment-response'));
console.log(JSON.stringify({ answer: await response.json(), payment }, null, 2));
