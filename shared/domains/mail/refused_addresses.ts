import { column, rows, type Database } from '../../platform/rows.ts';
import { MAIL_KINDS } from './kinds.ts';

/** An address whose mail server has refused the last mail to it for good. */
export interface RefusedAddress {
  readonly address: string;
  readonly at: Date;
}

/**
 * Those of an owner's addresses whose last mail was refused for good. One that was taken since ends
 * it; one that waits, or was given up because no server could be reached, says nothing.
 */
export async function refusedAddresses(
  db: Database,
  agentId: number,
  addresses: readonly string[],
): Promise<readonly RefusedAddress[]> {
  // By kind, as the index is: an owner may have had thousands of notices.
  const sql = `
    select asked.address, last.ended_at from unnest($2::text[]) as asked(address)
      cross join lateral (
        select found.* from unnest($3::text[]) as one(kind)
          cross join lateral (
            select m.id, m.status, m.ended_at from mail m
             where m.agent_id = $1 and m.kind = one.kind and m.recipient = asked.address
               and m.status in ('sent', 'shown', 'refused')
             order by m.id desc limit 1) found
         order by found.ended_at desc, found.id desc limit 1) last
     where last.status = 'refused'`;
  const columns = { address: column.text, ended_at: column.time };
  const found = await rows(db, columns, sql, [agentId, addresses, MAIL_KINDS]);
  return found.map(({ address, ended_at: at }) => ({ address, at }));
}
