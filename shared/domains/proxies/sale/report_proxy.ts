import { lockTreasuries } from '../../ledger/ledger.ts';
import { toUsd } from '../../../kernel/money.ts';
import { limitReached, type Limit } from '../../../kernel/limits/limits.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Amount, Input, OneOf, Output, Text } from '../../../kernel/schema.ts';
import { column, execute, row, rows } from '../../../platform/rows.ts';
import { METERED } from '../../wallet/charge.ts';
import { refundCharge } from '../../wallet/refund_charge.ts';
import type { CheckResult } from '../gateway.ts';
import { verdictOn } from '../checks/judge.ts';
import { numberOf, ProxyId } from '../proxies.ts';
import { record } from '../checks/record.ts';

/** Hours after its sale in which a proxy can be reported. */
const HOURS = 1;
/** Maximum reports of a tree in a day (UTC), whatever their results: each costs us checks. */
const REPORTS: Limit = {
  kind: 'proxy_reports',
  max: 100,
  windowSeconds: 86_400,
  reached: 'Your tree of agents has used up its reports of today.',
};
const CHECKS = 2;

export const reportProxy = operation({
  name: 'report_proxy',
  title: 'Report a dead proxy',
  summary:
    'Reports that a proxy you bought in the last hour does not work. We check it at once: ' +
    'if it is dead, its $0.001 goes back to your wallet. Free; once a purchase, 100 times a day.',
  phrasings: `
    a proxy is dead or slow; the IP does not work, money back; complain about a broken proxy;
    this SOCKS host times out; refund for a dead IP; proxy I bought is offline; bad endpoint,
    money back; flag a broken exit node; this proxy is broken; proxy not working; the proxy you
    sold me fails; get my cent back for a bad IP; proxy timeout; complain about proxies; the IP
    I got is no good; I cannot connect through this proxy; your proxy is down; want my money
    back for this IP`,
  access: 'any',
  mode: 'job',
  queue: 'network',
  gatherMs: 90_000, // Two checks of three fetches, each after a direct call of the judge.
  rest: 'POST /api/v1/proxy/:proxy_id/report',
  refusals: ['not_found', 'invalid_transition', 'rate_limited'],
  input: Input({ proxy_id: ProxyId }),
  output: Output('ProxyReport', {
    proxy_id: Text(1, 10, 'The proxy.'),
    status: OneOf(['dead', 'works'], 'Result of our check.'),
    credited: Amount('Returned to the wallet.'),
  }),

  async prepare(tx, { proxy_id: id }): Promise<string | undefined> {
    await findSale(tx, numberOf(id));
    const [proxy] = await rows(
      tx.db,
      { ip_port: column.text },
      'select ip_port from proxy where id = $1',
      [numberOf(id)],
    );
    return proxy?.ip_port;
  },

  /** Undefined: the pool no longer knows the proxy. */
  async gather({ proxies }, _input, _call, address): Promise<CheckResult | undefined> {
    let result: CheckResult | undefined;
    for (let checks = 0; address !== undefined && checks < CHECKS; checks += 1) {
      const results = await proxies.check([address]);
      if (!results) {
        throw new Refusal('service_unavailable', 'Proxies cannot be checked now. Retry later.');
      }
      [result] = results;
      if (result?.answered && result.https !== false) break;
    }
    return result;
  },

  async handle(tx, { proxy_id }, result) {
    const id = numberOf(proxy_id);
    // One report of a tree at a time, so that counts and refusals stay true.
    await lockTreasuries(tx.db, [tx.caller.rootId]);
    const { chargeId, isWithoutTls } = await findSale(tx, id);
    const verdict = result && verdictOn(tx.secrets, result);
    // A proxy that was sold as one without TLS is not dead for that.
    const works = verdict?.passed === true && (verdict.https !== false || isWithoutTls);
    const amount = METERED.proxy.unitPrice;
    const credited = works
      ? 0n
      : await refundCharge(tx, { chargeId, cause: `proxy:${id}`, amount });
    await execute(
      tx.db,
      `insert into proxy_report (charge_id, proxy_id, root_id, works, credited)
       values ($1, $2, $3, $4, $5)`,
      [chargeId, id, tx.caller.rootId, works, credited.toString()],
    );
    if (result) await record(tx.db, tx.secrets, [{ id, result }]);
    const status = works ? ('works' as const) : ('dead' as const);
    return { proxy_id: String(id), status, credited: toUsd(credited) };
  },
});

/** Finds the charge of the last sale of this proxy to this agent that can still be reported. */
async function findSale(
  tx: Tx,
  proxyId: number,
): Promise<{ chargeId: string; isWithoutTls: boolean }> {
  const sales = await rows(
    tx.db,
    { charge_id: column.id, reported: column.boolean, without_tls: column.boolean },
    `select s.charge_id, r.charge_id is not null as reported,
            $2 = any (coalesce(s.without_tls, '{}')) as without_tls
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
    throw new Refusal(
      'invalid_transition',
      'You have already reported this purchase of the proxy.',
    );
  }
  await assertReportsLeft(tx);
  return { chargeId: String(open.charge_id), isWithoutTls: open.without_tls };
}

async function assertReportsLeft(tx: Tx): Promise<void> {
  const use = await row(
    tx.db,
    { used: column.int, resets_at: column.time, wait: column.float },
    `select count(r.proxy_id)::int as used, day.ends as resets_at,
            extract(epoch from day.ends - now())::float8 as wait
       from (select date_trunc('day', now(), 'UTC') as starts,
                    date_trunc('day', now(), 'UTC') + interval '1 day' as ends) day
       left join proxy_report r on r.root_id = $1 and r.reported_at >= day.starts
      group by day.starts, day.ends`,
    [tx.caller.rootId],
  );
  if (use.used >= REPORTS.max) throw limitReached(tx, REPORTS, use);
}
