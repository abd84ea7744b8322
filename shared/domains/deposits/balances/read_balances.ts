import { operation } from '../../../kernel/operation.ts';
import { Input, OneOf, Output, Type } from '../../../kernel/schema.ts';
import type { DepositChain } from '../chain/deposit_chain.ts';
import { CHAIN_RAILS, CHAINS, networkOf, type ChainRail } from '../chain/networks.ts';
import { paysForCalls, railOf } from '../chain/recipients.ts';
import { settle } from '../chain/settle.ts';
import { pricesOf } from '../prices/deposit_value.ts';
import { column, nullable, rows } from '../../../platform/rows.ts';
import { noteGaps } from './gaps.ts';
import { addPages, CALLS_PAGE, duePages, type Page } from './pages.ts';
import { movePage, noteDiffering, noteFault, paymentsOf } from './recorded_page.ts';
import type { PageReading } from './page_reading.ts';
import { readPage } from './read_page.ts';

/** Time that a job reads; the pages that are left are read by the next. */
const GATHER_MS = 30_000;
const GATHER_MS_MAX = 90_000;

interface Reading {
  readonly rail: ChainRail;
  readonly network: string;
  readonly isSandbox: boolean;
  /** Up to here all blocks were searched. */
  readonly to: number;
  readonly pages: readonly Page[];
}

/**
 * Reads what our addresses hold, as far as a network was searched, and credits what no transaction
 * shows: the coin that a contract pays. An address of one agent binds it; at the shared one it is
 * unclaimed. Records other movements too, so that the audit can compare balances with the books.
 */
export const readBalances = operation({
  name: 'read_balances',
  title: 'Read balances',
  summary: 'Internal: compares what our addresses hold with the payments that are recorded.',
  access: 'operator',
  mode: 'job',
  queue: 'probes',
  gatherMs: GATHER_MS_MAX,
  input: Input({ rail: OneOf(CHAIN_RAILS, 'The rail to read.') }),
  output: Output({
    pages: Type.Integer({ description: 'Number of groups of addresses that were read.' }),
    payments: Type.Integer({ description: 'Payments that only a balance shows.' }),
  }),

  async prepare(tx, { rail }): Promise<Reading | undefined> {
    const settings = railOf(tx.config, rail);
    if (!settings) return undefined;
    const network = networkOf(rail, settings);
    const sql = 'select position from chain_cursor where network = $1';
    const [cursor] = await rows(tx.db, { position: nullable(column.int) }, sql, [network]);
    const to = cursor?.position;
    if (to === undefined || to === null) return undefined;
    const pages = await duePages(tx, rail, network);
    return { rail, network, isSandbox: settings.isSandbox, to, pages };
  },

  async gather({ chains, prices }, { rail }, { signal }, reading) {
    if (!reading) return undefined;
    const found = await readPages(() => chains(rail), reading, signal);
    const signs = found.readings.flatMap(({ changes }) => changes.map(({ asset }) => asset));
    return {
      reading,
      ...found,
      prices: signs.length > 0 ? await pricesOf(prices, signs) : new Map(),
    };
  },

  async handle(tx, { rail }, found) {
    if (!found) return { pages: 0, payments: 0 };
    const { reading, readings, prices, fault } = found;
    const { network } = reading;
    // Before the others move: new addresses were not there when those were read last.
    await addPages(tx, rail, network);
    const payments: Awaited<ReturnType<typeof paymentsOf>>[] = [];
    for (const read of readings) {
      if (read.differs.length > 0) await noteDiffering(tx.db, network, read);
      else if (await movePage(tx.db, network, read)) {
        payments.push(await paymentsOf(tx, { rail, network }, read));
      }
    }
    if (fault !== undefined) {
      tx.log.warn({ network, fault }, 'the balances of our addresses cannot be read');
    }
    await noteFault(tx.db, network, fault);
    const transfers = payments.flatMap((one) => one.transfers);
    await settle(tx, { rail, network, transfers, isFinal: true, prices });
    await noteGaps(
      tx.db,
      network,
      readings.map(({ page }) => page),
    );
    const receipts = payments.reduce((sum, one) => sum + one.receipts, 0);
    return { pages: payments.length, payments: receipts };
  },
});

async function readPages(
  open: () => DepositChain,
  { rail, pages, to, isSandbox }: Reading,
  signal: AbortSignal,
) {
  const readings: PageReading[] = [];
  let fault: string | undefined;
  const all = CHAINS[rail].assets.map(({ sign }) => sign);
  const others = all.filter((asset) => !paysForCalls(rail, asset));
  try {
    const { balances } = open();
    const until = Date.now() + GATHER_MS;
    for (const page of pages) {
      if (Date.now() > until) break;
      signal.throwIfAborted();
      const assets = page.page === CALLS_PAGE ? others : all;
      readings.push(await readPage(balances, page, { to, assets, isSandbox }));
    }
  } catch (error) {
    fault = String(error).slice(0, 500);
  }
  return { readings, fault };
}
