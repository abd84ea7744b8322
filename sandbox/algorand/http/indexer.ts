import { indexerModels as models } from 'algosdk';

import type { Chain, TakenTransaction } from '../ledger/chain.ts';
import { Rejected } from '../ledger/rejected.ts';
import { accountOf } from '../ledger/state.ts';
import { asJson, asText, type Answer, type Question, type Route } from './answer.ts';
import { addressesOf, blockModel, transactionModel } from './indexer_models.ts';

const PAGE = 1_000;
const PAGE_MAX = 10_000;

/** The paths of the indexer for transactions and blocks. */
export function indexerRoutes(chain: Chain): readonly Route[] {
  return [
    ['GET', /^\/health$/, () => health(chain)],
    ['GET', /^\/v2\/transactions\/(\w{52})$/, (_, id) => byId(chain, id!)],
    ['GET', /^\/v2\/transactions$/, ({ query }) => search(chain, query)],
    [
      'GET',
      /^\/v2\/accounts\/(\w{58})\/transactions$/,
      ({ query }, address) => search(chain, query, address),
    ],
    ['GET', /^\/v2\/accounts\/(\w{58})$/, ({ query }, address) => account(chain, address!, query)],
    ['GET', /^\/v2\/blocks\/(\d+)$/, (question, round) => block(chain, BigInt(round!), question)],
  ];
}

const health = (chain: Chain): Answer =>
  asJson(
    new models.HealthCheck({
      dbAvailable: true,
      isMigrating: false,
      message: String(chain.lastRound()),
      round: chain.lastRound(),
      version: 'sandbox',
    }),
  );

/** As with `exclude=all`: without its assets and applications. */
function account(chain: Chain, address: string, query: URLSearchParams): Answer {
  const { microAlgos } = accountOf(chain.state, address);
  const isTold =
    microAlgos > 0n ||
    (query.get('include-all') === 'true' &&
      chain.confirmed().some((taken) => addressesOf(taken).includes(address)));
  if (!isTold) throw new Rejected(`no accounts found for address: ${address}`, 404);
  const round = Number(chain.lastRound());
  const amount = Number(microAlgos);
  const said = { address, amount, 'amount-without-pending-rewards': amount, round };
  return asText(JSON.stringify({ account: said, 'current-round': round }));
}

function byId(chain: Chain, id: string): Answer {
  const taken = chain.find(id);
  const currentRound = chain.lastRound();
  if (taken && taken.round <= currentRound) {
    const transaction = transactionModel(taken);
    return asJson(new models.TransactionResponse({ currentRound, transaction }));
  }
  throw new Rejected(`no transaction found for transaction id: ${id}`, 404);
}

/** Newest last; those of an account newest first, as in the indexer. */
function search(chain: Chain, query: URLSearchParams, account?: string): Answer {
  const fits = filterOf(query, account ?? query.get('address') ?? undefined);
  const found = chain.confirmed().filter(fits);
  if (account) found.reverse();
  const start = Number(query.get('next') ?? 0);
  const limit = Math.min(Number(query.get('limit') ?? PAGE), PAGE_MAX);
  const transactions = found.slice(start, start + limit).map(transactionModel);
  const isMore = found.length > start + limit;
  return asJson(
    new models.TransactionsResponse({
      currentRound: chain.lastRound(),
      transactions,
      ...(isMore && { nextToken: String(start + limit) }),
    }),
  );
}

function filterOf(query: URLSearchParams, address?: string): (taken: TakenTransaction) => boolean {
  // A plus sign of base64 may arrive as a space.
  const prefix = Buffer.from((query.get('note-prefix') ?? '').replaceAll(' ', '+'), 'base64');
  const least = BigInt(query.get('min-round') ?? query.get('round') ?? 0);
  const most = BigInt(query.get('max-round') ?? query.get('round') ?? 2n ** 63n);
  const id = query.get('txid');
  const type = query.get('tx-type');
  return (taken) => {
    const { txn } = taken.signed;
    return (
      taken.round >= least &&
      taken.round <= most &&
      (!id || taken.id === id) &&
      (!type || txn.type === type) &&
      (!address || addressesOf(taken).includes(address)) &&
      Buffer.from(txn.note.subarray(0, prefix.length)).equals(prefix)
    );
  };
}

function block(chain: Chain, round: bigint, { query }: Question): Answer {
  if (round > chain.lastRound()) {
    throw new Rejected(`error while looking up block for round '${round}'`, 404);
  }
  return asJson(blockModel(chain, round, query.get('header-only') !== 'true'));
}
