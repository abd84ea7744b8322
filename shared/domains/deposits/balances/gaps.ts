import type { Config } from '../../../composition/config.ts';
import { column, execute, nullable, rows, type Database } from '../../../platform/rows.ts';
import { type ChainRail } from '../chain/networks.ts';
import { chainsOn } from '../chain/recipients.ts';
import { FINAL } from './pages.ts';

/**
 * SQL: balances, of blocks that were read, that the books or listed transactions do not explain.
 * What is not final yet, or was paid since, is in neither.
 */
export const GAPS_SQL = `
  select b.network, b.asset, b.address, b.page, p.block, b.held, b.base, b.moved, b.differs,
         paid.amount as paid
    from chain_balance b join chain_balance_page p using (network, page)
   cross join lateral (
     select coalesce(sum(d.amount), 0) as amount from deposit d
      where (d.network, d.recipient, d.asset) = (b.network, b.address, b.asset)
        and d.position > b.base_block and d.position <= p.block and d.${FINAL}) paid
   where (b.differs is not null or b.held <> b.base + paid.amount + b.moved)`;

/** Notes how many balances of these pages the books do not explain. */
export const noteGaps = (db: Database, network: string, pages: readonly number[]) =>
  execute(
    db,
    `update chain_balance_page page
        set gaps = (select count(*) from (${GAPS_SQL}
                       and b.network = page.network and b.page = page.page) gap)
      where network = $1 and page = any ($2) returning page`,
    [network, pages],
  );

const STATE = {
  network: column.text,
  gaps: column.int,
  read_at: nullable(column.time),
  age_seconds: column.float,
  fault: nullable(column.text),
};

/** Comparison of balances with the books on one rail. */
interface ComparedBalances {
  readonly rail: ChainRail;
  /** Balances that the books do not explain. */
  readonly gaps: number;
  /** Oldest reading; undefined: not all were read. */
  readonly readAt: Date | undefined;
  /** Since then; if not all were read, since there is something to read. */
  readonly ageSeconds: number;
  readonly fault: string | undefined;
}

/** The comparison of balances with the books on each rail that is on and tells them. */
export async function comparedBalances(
  db: Database,
  config: Config,
): Promise<readonly ComparedBalances[]> {
  const found = await rows(
    db,
    STATE,
    `select network, sum(gaps)::int as gaps, max(fault) as fault,
            case when bool_and(read_at is not null) then min(read_at) end as read_at,
            extract(epoch from now() - min(coalesce(read_at, created_at)))::float8 as age_seconds
       from chain_balance_page group by network`,
  );
  return chainsOn(config).flatMap(({ rail, network }) => {
    const one = found.find((state) => state.network === network);
    if (!one) return [];
    const { gaps, read_at, age_seconds, fault } = one;
    return {
      rail,
      gaps,
      readAt: read_at ?? undefined,
      ageSeconds: age_seconds,
      fault: fault ?? undefined,
    };
  });
}
