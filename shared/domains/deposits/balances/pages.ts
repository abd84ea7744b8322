import type { Tx } from '../../../kernel/tx.ts';
import {
  column,
  execute,
  nullable,
  rows,
  type Database,
  type Row,
} from '../../../platform/rows.ts';
import { CHAINS, type ChainRail, type Family } from '../chain/networks.ts';
import { callsAddresses, holderAddresses } from '../chain/recipients.ts';

/** Ids of agents in a page. */
const PAGE_SIZE = 500;
/** Maximum pages of one run: 5 000 addresses. */
const PAGES_MAX = 10;
/** Minutes between two readings of a page of agents, where each address costs a question. */
const REST_MINUTES: { readonly [family in Family]?: number } = { tron: 60 };
/** Page of the address that all payers share. */
export const SHARED_PAGE = -1;
/** Page of the address that is paid for calls, of which other assets are read here. */
export const CALLS_PAGE = -2;

/** Addresses that are read together, and what is known of them. */
export interface Page {
  readonly page: number;
  /** They were read after this block; null: never. */
  readonly block: number | null;
  readonly addresses: readonly string[];
  readonly stored: readonly Held[];
  /** Payments in later blocks that are recorded. */
  readonly known: readonly Known[];
}

interface Held {
  readonly asset: string;
  readonly address: string;
  readonly amount: bigint;
}
interface Known extends Held {
  readonly position: number;
}

/** SQL: the statuses of payments whose block is final. */
export const FINAL = `status not in ('detected', 'rejected')`;

/** Adds the pages of new addresses. They held nothing when the shared one was read last. */
export async function addPages({ db, config }: Tx, rail: ChainRail, network: string) {
  await execute(db, ADD_SQL, [network, CHAINS[rail].family]);
  if (callsAddresses(config, rail).length === 0) return;
  const sql = `insert into chain_balance_page (network, page) values ($1, ${CALLS_PAGE})
               on conflict do nothing`;
  await execute(db, sql, [network]);
}

const ADD_SQL = `
  insert into chain_balance_page (network, page, block)
  select $1, page, (select block from chain_balance_page
                     where network = $1 and page = ${SHARED_PAGE})
    from generate_series(
           (select coalesce(max(page) + 1, ${SHARED_PAGE}) from chain_balance_page
             where network = $1),
           greatest((select max(index) / ${PAGE_SIZE} from deposit_address where family = $2),
                    ${SHARED_PAGE})) page
  on conflict do nothing`;

/** The pages that were not read for longest, with their addresses and what is known of these. */
export async function duePages(tx: Tx, rail: ChainRail, network: string): Promise<Page[]> {
  const { db, config } = tx;
  const pages = await rows(
    db,
    PAGE,
    `select page, block from chain_balance_page where network = $1
        and (page < 0 or read_at is null
             or read_at < now() - make_interval(mins => $2))
      order by read_at nulls first, page limit ${PAGES_MAX}`,
    [network, REST_MINUTES[CHAINS[rail].family] ?? 0],
  );
  const numbers = pages.map(({ page }) => page);
  const own = await ownIn(db, CHAINS[rail].family, numbers);
  const shared = holderAddresses(config, rail).map((address) => ({ page: SHARED_PAGE, address }));
  const calls = callsAddresses(config, rail).map((address) => ({ page: CALLS_PAGE, address }));
  const addresses = [...shared, ...calls, ...own];
  const stored = await rows(
    db,
    STORED,
    `select page, asset, address, held::text as amount from chain_balance
      where network = $1 and page = any ($2)`,
    [network, numbers],
  );
  const known = await knownOf(db, network, pages, addresses);
  return pages.map(({ page, block }) => {
    const inPage = new Set(addresses.flatMap((one) => (one.page === page ? one.address : [])));
    return {
      page,
      block,
      addresses: [...inPage],
      stored: stored.filter((one) => one.page === page).map(amounted),
      known: known
        .filter(({ address, position }) => inPage.has(address) && position > (block ?? 0))
        .map(amounted),
    };
  });
}

const PAGE = { page: column.int, block: nullable(column.int) };
const STORED = {
  page: column.int,
  asset: column.text,
  address: column.text,
  amount: column.text,
};
const KNOWN = {
  asset: column.text,
  address: column.text,
  amount: column.text,
  position: column.int,
};

const amounted = <T extends { readonly amount: string }>({ amount, ...one }: T) => ({
  ...one,
  amount: BigInt(amount),
});

const ownIn = (db: Database, family: string, pages: readonly number[]) =>
  rows(
    db,
    { page: column.int, address: column.text },
    `select page, address from unnest($2::bigint[]) page
       join deposit_address on family = $1
        and index >= page * ${PAGE_SIZE} and index < (page + 1) * ${PAGE_SIZE}`,
    [family, pages],
  );

function knownOf(
  db: Database,
  network: string,
  pages: readonly Row<typeof PAGE>[],
  addresses: readonly { readonly address: string }[],
) {
  const blocks = pages.flatMap(({ block }) => block ?? []);
  if (blocks.length === 0) return [];
  return rows(
    db,
    KNOWN,
    `select asset, recipient as address, amount::text, position from deposit
      where network = $1 and recipient = any ($2) and position > $3 and ${FINAL}`,
    [network, addresses.map(({ address }) => address), Math.min(...blocks)],
  );
}
