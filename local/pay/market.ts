/** The marketplace, as the paying agent sees it. */
export interface Market {
  readonly url: string;
  /** Calls the REST interface. Throws refusals with their messages. */
  call<T>(route: string, body?: object): Promise<T>;
}

/** A failed payment, with a reason for the payer. */
export class NotPaid extends Error {}

export function openMarket(url: string, key: string): Market {
  return {
    url,
    async call<T>(route: string, body?: object): Promise<T> {
      const [method, path] = route.split(' ') as [string, string];
      const answer = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      }).catch((error: Error) => {
        throw new NotPaid(`${url} does not answer (${error.message}). Is npm start running?`);
      });
      const found = (await answer.json()) as T & { message?: string };
      if (answer.ok) return found;
      throw new NotPaid(found.message ?? `${route} answered ${answer.status}.`);
    },
  };
}

/** An entry of wallet_statement. */
interface Entry {
  /** Object of the entry; for a deposit, its id. */
  readonly ref: { readonly id: string };
  readonly kind: string;
  readonly amount: number;
}

const STATEMENT = 'GET /api/v1/wallet/statement?limit=20';

export async function deposits(market: Market): Promise<Entry[]> {
  const { entries } = await market.call<{ entries: Entry[] }>(STATEMENT);
  return entries.filter(({ kind }) => kind === 'deposit');
}
