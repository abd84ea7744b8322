import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';

import { algorandSettings } from '../../../shared/domains/deposits/algorand/settings.ts';
import { tokenSettings } from '../../../shared/domains/tokens/settings.ts';
import { readEnvironment } from '../../../shared/platform/config/environment.ts';
import { openAlgorandDeposits } from '../../../workers/gateways/algorand/deposits.ts';
import { openNodes } from '../../../workers/gateways/algorand/nodes.ts';
import { ADDRESS } from '../../tokens/address.ts';

/** An indexer that notes the tokens which it gets, and says nothing. */
async function openNoting() {
  const tokens = new Set<string | undefined>();
  const server = createServer(({ headers }, response) => {
    tokens.add(headers['x-indexer-api-token'] as string | undefined);
    response.writeHead(500).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}`, tokens, close: () => server.close() };
}

describe('the tokens of indexers', () => {
  let one: Awaited<ReturnType<typeof openNoting>>;
  let other: Awaited<ReturnType<typeof openNoting>>;
  beforeEach(async () => {
    [one, other] = [await openNoting(), await openNoting()];
  });
  afterEach(() => {
    one.close();
    other.close();
  });

  const envWith = (ALGO_INDEXER_TOKEN: string) => ({
    ALGO_INDEXER_URLS: `${one.url} ${other.url}`,
    ALGO_INDEXER_TOKEN,
    ALGO_DEPOSIT_ADDRESS: ADDRESS,
    ALGO_NODE_URL: 'http://127.0.0.1:9',
    ALGO_KEY_FILE: '/none',
  });
  /** Asks both indexers, as payments and as tokens do. */
  async function ask(token: string) {
    const env = envWith(token);
    const deposits = openAlgorandDeposits(readEnvironment(algorandSettings, env)!);
    await deposits.finalPosition().catch(() => undefined);
    const issuer = readEnvironment(tokenSettings, env).algorand!;
    for (const indexerUrls of [issuer.indexerUrls, issuer.indexerUrls.toReversed()]) {
      // The first that does not answer ends it.
      const asked = openNodes({ ...issuer, indexerUrls }).indexers();
      await asked.catch(() => undefined);
    }
    return [[...one.tokens], [...other.tokens]];
  }

  it('go to their own hosts alone', async () => {
    const found = await ask(`${one.host}=of-one ${other.host}=of.other==`);
    expect(found).to.deep.equal([['of-one'], ['of.other==']]);
  });

  it('are none where none is set, and one for all if there is one alone', async () => {
    expect(await ask(`${other.host}=mine`)).to.deep.equal([[undefined], ['mine']]);
    one.tokens.clear();
    other.tokens.clear();
    expect(await ask('YWJjZA==')).to.deep.equal([['YWJjZA=='], ['YWJjZA==']]);
  });

  it('are refused for a host that is no indexer, without a word of them', () => {
    const read = (token: string) => () => readEnvironment(algorandSettings, envWith(token));
    expect(read('indexer.example.com=secret')).to.throw(
      'ALGO_INDEXER_TOKEN names indexer.example.com, which is none of the providers',
    );
    expect(read(`${one.host}=secret other`)).to.throw('must be one token, or host=token');
    expect(read(`${one.host}=secret other`)).not.to.throw('secret');
  });
});
