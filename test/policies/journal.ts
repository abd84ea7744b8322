import { expect } from 'chai';

import type { TestPlatform } from '../harness.ts';
import { superuser } from './shifted_clock.ts';

/** Changes of the limits of a tree. They are written under the lock of the tree, so in order. */
type Entry =
  | { what: 'spend' | 'refund'; agent: number; day: string; amount: number; type: string }
  | {
      what: 'policy';
      agent: number;
      max_spend_per_tx: number | null;
      daily_spend_limit: number | null;
      allowed_product_types: string[];
    };

/** Has the database note every spend, every refund and every change of a policy. */
export const keepJournal = (platform: TestPlatform): Promise<void> =>
  superuser(
    platform,
    `create table journal (id bigint generated always as identity, entry jsonb not null);
     create function note() returns trigger language plpgsql security definer as $$
     declare v_entry jsonb;
     begin
       case tg_table_name
       when 'orders' then
         v_entry := jsonb_build_object(
           'what', case tg_op when 'INSERT' then 'spend' else 'refund' end,
           'agent', new.buyer_id, 'day', new.spent_on,
           'amount', case tg_op when 'INSERT' then new.subtotal + new.fee else new.refunded end,
           'type', (select category from product where id = new.product_id));
       when 'charge' then
         v_entry := jsonb_build_object('what', 'spend', 'agent', new.agent_id,
           'day', new.spent_on, 'amount', new.credit + new.cash,
           'type', case new.service when 'email' then 'api_service' else 'proxy_service' end);
       when 'charge_refund' then
         select jsonb_build_object('what', 'refund', 'agent', c.agent_id, 'day', c.spent_on,
                                   'amount', new.credit + new.cash)
           into v_entry from charge c where c.id = new.charge_id;
       else
         v_entry := to_jsonb(new) || jsonb_build_object('what', 'policy', 'agent', new.agent_id);
       end case;
       insert into journal (entry) values (v_entry);
       return null;
     end $$;
     create trigger note after insert on orders for each row execute function note();
     create trigger note_refund after update of refunded on orders for each row
       when (new.refunded > old.refunded) execute function note();
     create trigger note after insert on charge for each row execute function note();
     create trigger note after insert on charge_refund for each row execute function note();
     create trigger note after insert on policy_version for each row execute function note();
     grant select on journal to public`,
  );

/**
 * Reads the journal of a tree again and checks each spend by the policies that were in force: those
 * of the agent and of everyone above it. Returns how many spends there were on each day.
 */
export async function checkJournal(
  platform: TestPlatform,
  rootId: number,
): Promise<ReadonlyMap<string, number>> {
  const lineages = new Map<number, number[]>();
  for (const { id, lineage } of await platform.query(
    'select id::int, lineage::int[] from agent where root_id = $1',
    [rootId],
  )) {
    lineages.set(id, lineage);
  }
  const entries: { entry: Entry }[] = await platform.query(
    `select entry from journal where (entry ->> 'agent')::bigint = any ($1) order by id`,
    [[...lineages.keys()]],
  );
  const policies = new Map<number, Entry & { what: 'policy' }>();
  const spent = new Map<string, number>();
  const days = new Map<string, number>();
  for (const { entry } of entries) {
    if (entry.what === 'policy') {
      policies.set(entry.agent, entry);
      continue;
    }
    const { agent, day, amount } = entry;
    for (const above of lineages.get(agent)!) {
      const before = spent.get(`${above} ${day}`) ?? 0;
      const sum = before + (entry.what === 'spend' ? amount : -amount);
      expect(sum, `what ${above} spent on ${day}`).to.be.at.least(0);
      spent.set(`${above} ${day}`, sum);
      const policy = policies.get(above);
      if (entry.what === 'refund' || !policy) continue;
      const what = `${JSON.stringify(entry)} under ${JSON.stringify(policy)}`;
      expect(amount, what).to.be.at.most(policy.max_spend_per_tx ?? Infinity);
      expect(sum, what).to.be.at.most(policy.daily_spend_limit ?? Infinity);
      const types = policy.allowed_product_types;
      if (types.length > 0) expect(types, what).to.include(entry.type);
    }
    if (entry.what === 'spend') {
      const [last] = [...days.keys()].slice(-1);
      expect(day >= (last ?? day), `${day} after ${last}`).to.equal(true);
      days.set(day, (days.get(day) ?? 0) + 1);
    }
  }
  const counters: { id: number; day: string; amount: number }[] = await platform.query(
    `select agent_id::int as id, day::text, amount::int from spend
      where root_id = $1 and isfinite(day)`,
    [rootId],
  );
  for (const { id, day, amount } of counters) {
    expect(amount, `the counter of ${id} on ${day}`).to.equal(spent.get(`${id} ${day}`));
  }
  return days;
}
