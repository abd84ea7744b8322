import { lockTreasuries } from '../../ledger/ledger.ts';
import { toUsd } from '../../ledger/money.ts';
import { operation, type Tx } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Amount, Input, OneOf, Output, Text } from '../../kernel/schema.ts';
import { METERED, refundCharge } from '../../wallet/charge.ts';
import type { Finding } from '../gateway.ts';
import { verdictOn } from '../checks/judge.ts';
import { numberOf, ProxyId } from '../proxies.ts';
import { record } from '../checks/record.ts';

/** How long after its sale a proxy can be dead on arrival. */
const HOURS = 1;
/** Reports of a tree of agents in a day (UTC), whatever comes of them: each costs us checks. */
const REPORTS_MAX = 100;
const TRIES = 2;

export const reportProxy = operation({
  name: 'report_proxy',
  title: 'Report a dead proxy',
  summary:
    'Reports that a proxy which you bought in the last hour does not work. We check it at once: ' +
    'if it is dead, its $0.001 goes back to your wallet. Free; once a purchase, 100 times a day.',
  access: 'any',
  mode: 'job',
  domain: 'proxies',
  queue: 'network',
  rest: 'POST /api/v1/proxy/:proxy_id/report',
  input: Input({ proxy_id: ProxyId }),
  output: Output({
    proxy_id: Text(1, 10, 'The proxy.'),
    status: OneOf(['dead', 'works'], 'What our own check found just now.'),
    credited: Amount('What went back to the wallet.'),
  }),

  async prepare(tx, { proxy_id: id }): Promise<string | undefined> {
    await findSale(tx, numberOf(id));
    const [row] = await tx.db.query('select ip_port from proxy where id = $1', [numberOf(id)]);
    return row?.ip_port;
  },

  /** Undefined: nobody knows it any more. */
  async gather({ proxies }, _input, _call, place): Promise<Finding | undefined> {
    let finding: Finding | undefined;
    for (let tries = 0; place !== undefined && tries < TRIES; tries += 1) {
      const found = await proxies.check([place]);
      if (!found) {
        throw new Refusal('service_unavailable', 'No proxy can be checked now. Report it later.');
      }
      [finding] = found;
      if (finding?.answered) break;
    }
    return finding;
  },

  async handle(tx, { proxy_id }, finding) {
    const id = numberOf(proxy_id);
    // One report of a tree at a time, so that what is counted and refused stays true.
    await lockTreasuries(tx.db, [tx.caller.rootId]);
    const sale = await findSale(tx, id);
    const works = finding !== undefined && verdictOn(tx.secrets, finding).passed;
    const credited = works
      ? 0n
      : await refundCharge(tx.db, {
          chargeId: sale,
          cause: `proxy:${id}`,
          amount: METERED.proxy.unitPrice,
        });
    await tx.db.query(
      `insert into proxy_report (charge_id, proxy_id, root_id, works, credited)
       values ($1, $2, $3, $4, $5)`,
      [sale, id, tx.caller.rootId, works, credited.toString()],
    );
    if (finding) await record(tx.db, tx.secrets, [{ id, finding }]);
    const status = works ? ('works' as const) : ('dead' as const);
    return { proxy_id: String(id), status, credited: toUsd(credited) };
  },
});

/** The charge of the last sale of this proxy to this agent that may still be reported. */
async function findSale(tx: Tx, proxyId: number): Promise<string> {
  const sales: { charge_id: string; reported: boolean }[] = await tx.db.query(
    `select s.charge_id, r.charge_id is not null as reported
       from proxy_sale s
       left join proxy_report r on r.charge_id = s.charge_id and r.proxy_id = $2
      where s.agent_id = $1 and $2 = any (s.proxy_ids)
        and s.sold_at > now() - interval '${HOURS} hour'
      order by s.sold_at desc`,
    [tx.caller.agentId, proxyId],
  );
  if (sales.length === 0) {
    throw new Refusal('not_found', 'You bought no proxy with this id in the last hour.');
  }
  const open = sales.find(({ reported }) => !reported);
  if (!open) {
    throw new Refusal('invalid_transition', 'You reported this proxy already, once a purchase.');
  }
  const [{ used, resets_at }] = await tx.db.query(
    `select count(r.proxy_id)::int as used, (day.starts + interval '1 day') at time zone 'UTC' as resets_at
       from (select date_trunc('day', now() at time zone 'UTC') as starts) day
       left join proxy_report r on r.root_id = $1
             and r.reported_at >= day.starts at time zone 'UTC'
      group by day.starts`,
    [tx.caller.rootId],
  );
  if (used >= REPORTS_MAX) {
    const details = { limit: REPORTS_MAX, used, resets_at: resets_at.toISOString() };
    throw new Refusal('rate_limited', 'Your reports of today are used up.', details);
  }
  return open.charge_id;
}
