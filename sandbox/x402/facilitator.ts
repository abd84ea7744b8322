import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, defineChain, http, publicActions } from 'viem';
import { generatePrivateKey, nonceManager, privateKeyToAccount } from 'viem/accounts';

import type { Evm } from '../evm/anvil.ts';

/** A facilitator of x402 on 127.0.0.1, which settles payments on a local chain. */
export interface Facilitator {
  readonly url: string;
  close(): Promise<void>;
}

const GAS_WEI = 10n ** 21n;
const LOOK_EVERY_MS = 50;

/**
 * The facilitator of the protocol's own packages (@x402/evm), which settles real transactions. Its
 * own account pays the gas.
 */
export async function startFacilitator(
  evm: Pick<Evm, 'url' | 'chainId' | 'fund'>,
  { port = 0 }: { readonly port?: number } = {},
): Promise<Facilitator> {
  const account = privateKeyToAccount(generatePrivateKey(), { nonceManager });
  await evm.fund(account.address, GAS_WEI);
  const chain = defineChain({
    id: evm.chainId,
    name: 'sandbox',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [evm.url] } },
  });
  const client = createWalletClient({
    account,
    chain,
    transport: http(evm.url),
    pollingInterval: LOOK_EVERY_MS,
  }).extend(publicActions);
  const signer = toFacilitatorEvmSigner({ ...client, address: account.address } as never);
  const facilitator = new x402Facilitator();
  registerExactEvmScheme(facilitator, { signer, networks: `eip155:${evm.chainId}` });

  async function answer(
    path: string | undefined,
    sent: PaymentRequest,
  ): Promise<object | undefined> {
    const { paymentPayload, paymentRequirements } = sent;
    if (path === '/supported') return facilitator.getSupported();
    if (path === '/verify') return facilitator.verify(paymentPayload, paymentRequirements);
    if (path === '/settle') return facilitator.settle(paymentPayload, paymentRequirements);
    return undefined;
  }

  const server = createServer((req, res) => {
    const reply = (status: number, body: object) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    read(req)
      .then((sent) => answer(req.url, sent))
      .then((body) => (body ? reply(200, body) : reply(404, { error: 'There is no such path.' })))
      .catch((error: unknown) => reply(500, { error: (error as Error).message }));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Settle = x402Facilitator['settle'];
interface PaymentRequest {
  readonly paymentPayload: Parameters<Settle>[0];
  readonly paymentRequirements: Parameters<Settle>[1];
}

async function read(req: IncomingMessage): Promise<PaymentRequest> {
  let text = '';
  for await (const chunk of req.setEncoding('utf8')) text += chunk as string;
  return (text ? JSON.parse(text) : {}) as PaymentRequest;
}
