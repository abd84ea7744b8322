import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to sign: whole transactions, or the messages of them. */
interface Asked {
  readonly transactions?: readonly string[];
  readonly messages?: readonly string[];
}

export interface SigningService {
  readonly url: string;
  close(): Promise<unknown>;
}

/** A service that has the key of a wallet. */
export async function openSigningService(
  address: string,
  sign: (asked: Asked) => object | Promise<object>,
): Promise<SigningService> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/address') return response.end(JSON.stringify({ address }));
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
      void Promise.resolve(sign(asked)).then((answer) => response.end(JSON.stringify(answer)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
