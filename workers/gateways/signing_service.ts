import { answerOf } from './answer_of.ts';

const ANSWER_MS_MAX = 10_000;

/**
 * A service that holds the key of one of our wallets, so that no process of ours does. GET returns
 * the address of the wallet, POST returns signatures. The operator has chosen its URL.
 */
interface SigningService {
  address(): Promise<string>;
  /** The answer of `/sign` to this body. */
  sign<T>(body: object): Promise<T>;
}

export function openSigningService(url: string): SigningService {
  return {
    address: async () => (await ask<{ address: string }>(`${url}/address`)).address,
    sign: (body) => ask(`${url}/sign`, JSON.stringify(body)),
  };
}

async function ask<T>(url: string, body?: string): Promise<T> {
  const asked = fetch(url, {
    ...(body !== undefined && { method: 'POST', body }),
    headers: { 'content-type': 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  const response = await answerOf('the signer', asked);
  if (!response.ok) throw new Error(`the signer answers with status ${response.status}`);
  return (await response.json()) as T;
}
