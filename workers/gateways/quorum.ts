import { LeftOut } from './left_out.ts';
import type {
  BalanceReader,
  ChainTransaction,
  ChainTransfer,
  DepositChain,
  ExplainedChange,
} from '../../shared/domains/deposits/chain/deposit_chain.ts';

/**
 * A network as several providers see it. Statements of fewer than `quorum` are not believed. It
 * answers as soon as enough have said the same, and does not wait for the others.
 */
export function agreeing(providers: readonly DepositChain[], quorum: number): DepositChain {
  return {
    balances: agreeingOn(
      providers.map(({ balances }) => balances),
      quorum,
    ),
    get stretchMax() {
      return Math.min(...providers.map(({ stretchMax }) => stretchMax));
    },
    read: (txId) =>
      decided(providers, (provider) => provider.read(txId), quorum, agreedTransaction),
    finalPosition: () =>
      decided(
        providers,
        (provider) => provider.finalPosition(),
        quorum,
        (said, needed) => said.toSorted((a, b) => b.number - a.number)[needed - 1],
      ),
    scan: (from, to, recipients, options) =>
      decided(
        providers,
        (provider) => provider.scan(from, to, recipients, options),
        quorum,
        (said, needed) => sameOf(said, textOf, needed),
      ),
  };
}

function agreeingOn(readers: readonly BalanceReader[], quorum: number): BalanceReader {
  const held: BalanceReader['held'] = (block, asset, addresses) =>
    decided(
      readers,
      (reader) => reader.held(block, asset, addresses),
      quorum,
      (said, needed) => sameOf(said, String, needed),
    );
  const listed = readers.filter((reader) => 'changes' in reader);
  if (listed.length > 0) {
    return {
      held,
      reach: (asset, search) =>
        decided(
          listed,
          (reader) => reader.reach(asset, search),
          quorum,
          (said, needed) => said.toSorted((a, b) => b - a)[needed - 1],
        ),
      changes: (asset, search) =>
        decided(
          listed,
          (reader) => reader.changes(asset, search),
          quorum,
          (said, needed) => sameOf(said, textOfChanges, needed),
        ),
    };
  }
  const past = readers.filter((reader) => 'paymentsIn' in reader);
  return {
    held,
    paymentsIn: (block, recipients) =>
      decided(
        past,
        (reader) => reader.paymentsIn(block, recipients),
        quorum,
        (said) =>
          sameOf(said, ({ at, transfers }) => `${at.getTime()} ${textOf(transfers)}`, quorum),
      ),
  };
}

const textOfChanges = (changes: readonly ExplainedChange[]): string =>
  JSON.stringify(
    changes.map(({ block, asset, address, change, own, at, transfers }) => [
      [block, asset, address, `${change} ${own ?? 0n}`, at.getTime()],
      textOf(transfers),
    ]),
  );

/** Where several are set, nothing is believed of one, whoever is left out. */
const ALONE_MAX = 2;

/** Undefined: undecided so far. `isAll`: no more answers will come. */
type DecisionRule<T> = (said: readonly T[], quorum: number, isAll: boolean) => T | undefined;

async function decided<P, T>(
  providers: readonly P[],
  ask: (provider: P) => Promise<T>,
  quorum: number,
  decide: DecisionRule<T>,
): Promise<T> {
  const said: T[] = [];
  const faults: string[] = [];
  let needed = quorum;
  let leftOut = 0;
  return new Promise<T>((resolve, reject) => {
    const look = () => {
      const isAll = said.length + faults.length === providers.length;
      const found = said.length < needed ? undefined : decide(said, needed, isAll);
      if (found !== undefined) resolve(found);
      else if (isAll) reject(new Error(reasonOf(said.length, needed, faults)));
    };
    const fail = (fault: Error) => {
      faults.push(fault.message);
      leftOut += fault instanceof LeftOut ? 1 : 0;
      needed = Math.min(
        quorum,
        Math.max(Math.min(ALONE_MAX, providers.length), providers.length - leftOut),
      );
    };
    if (providers.length === 0) reject(new Error('no provider is set'));
    for (const provider of providers) {
      ask(provider)
        .then((answer) => void said.push(answer), fail)
        .then(look)
        .catch(reject);
    }
  });
}

const reasonOf = (said: number, quorum: number, faults: readonly string[]): string =>
  [said < quorum ? `${quorum} providers have to agree` : 'the providers do not agree', ...faults]
    .join('; ')
    .slice(0, 500);

/**
 * A provider that calls it final has seen it. One that does not know it contradicts nobody, because
 * it may be behind. Two that call different things final contradict each other.
 */
function agreedTransaction(
  said: readonly ChainTransaction[],
  quorum: number,
  isAll: boolean,
): ChainTransaction | undefined {
  const ended = said.filter(({ status }) => status === 'final' || status === 'failed');
  const end = sameOf(ended, contentOf, quorum);
  if (end || !isAll) return end;
  if (new Set(ended.map(contentOf)).size > 1) return undefined;
  const seen = said.filter(({ status }) => status === 'final' || status === 'unfinal');
  const found = sameOf(seen, contentOf, quorum);
  if (!found || found.status !== 'final') return found ?? { status: 'unknown' };
  return { ...found, status: 'unfinal' };
}

/** The statement that a quorum shares. */
function sameOf<T>(said: readonly T[], keyOf: (one: T) => string, quorum: number): T | undefined {
  const keys = said.map(keyOf);
  return said.find((_one, at) => keys.filter((key) => key === keys[at]).length >= quorum);
}

const contentOf = (found: ChainTransaction): string =>
  'transfers' in found ? textOf(found.transfers) : found.status;

const textOf = (transfers: readonly ChainTransfer[]): string =>
  JSON.stringify(
    transfers.map(({ amount, at, reference = '', ...transfer }) => [
      transfer.txId,
      transfer.index,
      transfer.asset,
      String(amount),
      transfer.from,
      transfer.to,
      reference,
      transfer.position,
      at.getTime(),
    ]),
  );
