import { setPolicy } from '../policy.ts';
import type { TestPlatform } from '../harness.ts';
import { withoutTriggers } from '../plans/superuser.ts';
import { PASSWORD } from '../console/browser_like.ts';

interface Named {
  readonly id: number;
  readonly key: string;
  readonly username: string;
}

/** A market with names that mean something: an owner, her agents, and those she deals with. */
export interface Market {
  readonly ada: Named;
  readonly scout: Named;
  readonly mira: Named;
  readonly skydata: Named;
  readonly datahaus: Named;
  /** On sale, by another party. */
  readonly registryId: number;
  /** In escrow, bought by scout. */
  readonly orderId: number;
  /** A sale of mira's, which its buyer disputes and she has answered. */
  readonly disputedId: number;
  readonly approvalId: number;
  readonly taskId: number;
}

/** Builds it by the calls that agents make. Only the days before today are written as rows. */
export async function openMarket(platform: TestPlatform): Promise<Market> {
  const call = async (route: string, { key }: { key?: string }, body: object = {}) => {
    const reply = await platform.request(route, { ...(key && { key }), body });
    if (reply.status >= 300) throw new Error(`${route}: ${reply.text}`);
    return reply.body;
  };
  const register = async (username: string, usd = 0): Promise<Named> => {
    const body = { username, email: `${username}@example.com`, password: PASSWORD };
    const { agent_id: id, api_key } = await call('POST /api/v1/agent/register', {}, body);
    if (usd > 0) await platform.fund(id, usd);
    return { id, key: api_key.key, username };
  };
  const ada = await register('ada', 180);
  const spawn = async (name: string): Promise<Named> => {
    const { agent, api_key } = await call('POST /api/v1/agent/spawn', ada, {
      agent_name: name,
      permissions: ['read', 'buy', 'sell'],
    });
    return { id: agent.agent_id, key: api_key.key, username: name };
  };
  const list = (seller: Named, title: string, price: number, fields: object = {}) =>
    platform.product(seller, { title, price, category: 'dataset', ...fields });
  const unlimited = (content: string) => ({ stock_kind: 'unlimited', content });
  const buy = async ({ key }: Named, { id: product_id }: { id: number }, quantity = 1) =>
    (await call('POST /api/v1/orders', { key }, { product_id, quantity })).order_id as number;

  const skydata = await register('skydata');
  const datahaus = await register('datahaus');
  const lector = await register('lector');
  const harbor = await register('harbor', 30);
  const scout = await spawn('scout-2');
  const penny = await spawn('penny');
  const mira = await spawn('mira');
  const quill = await spawn('quill');
  await setPolicy(platform, scout, { daily_spend_limit: 10_000_000n });
  await setPolicy(platform, penny, { daily_spend_limit: 5_000_000n });
  await setPolicy(platform, mira, {
    approval_threshold: 25_000_000n,
    daily_spend_limit: 60_000_000n,
  });
  await setPolicy(platform, quill, { daily_spend_limit: 2_000_000n });

  const weather = await list(skydata, 'Weather history, 10 years', 4, unlimited('wx-10y'));
  const timetable = await list(skydata, 'Timetable feed, Berlin', 2.5, {
    ...unlimited('tt-berlin'),
    category: 'api_service',
  });
  const registry = await list(datahaus, 'Company registry export, DE', 40, {
    ...unlimited('reg-de'),
    description: 'Every active company of the German register, monthly, as CSV with a schema.',
  });
  const sample = await list(datahaus, 'Company registry sample', 1, unlimited('reg-sample'));
  await list(datahaus, 'Postcodes of Europe', 0.75, unlimited('postcodes'));
  await list(skydata, 'Geocoding, 1 000 calls', 0.6, {
    ...unlimited('geo'),
    category: 'api_service',
  });
  const leads = await list(mira, 'Verified trade fairs 2026', 8, unlimited('fairs'));
  await list(mira, 'Price list of 400 shops', 3.2, unlimited('shops'));

  const disputedId = await buy(harbor, leads);
  await buy(harbor, await list(mira, 'Street names of Lisbon', 1.5, unlimited('lisbon')));
  await call(`POST /api/v1/orders/${disputedId}/dispute`, harbor, {
    reason: 'A third of the fairs took place last year, and 40 rows have no date.',
  });
  await call(`POST /api/v1/orders/${disputedId}/dispute/respond`, mira, {
    response: 'The listing says "2025 and 2026". The 40 rows have no date yet from the fairs.',
  });
  const returned = await buy(scout, timetable);
  await call(`POST /api/v1/orders/${returned}/refund`, skydata);
  const paid = await buy(penny, sample);
  await call(`POST /api/v1/orders/${paid}/confirm`, penny);
  await call(`POST /api/v1/orders/${paid}/review`, penny, {
    rating: 5,
    text: 'Each row opens, and the schema is the one of the whole export.',
  });
  await buy(scout, sample);
  const orderId = await buy(scout, weather);
  const asked = await platform.request('POST /api/v1/orders', {
    key: mira.key,
    body: { product_id: registry.id, quantity: 1 },
  });
  const { approvals } = (await platform.request('GET /api/v1/approvals', { key: ada.key })).body;
  if (!approvals?.[0]) throw new Error(`no approval: ${asked.text}`);
  const task = await call('POST /api/v1/tasks', penny, {
    title: 'Extract tables of 12 annual reports',
    description: 'As CSV, one file a table, with the page it stood on.',
    budget: 2.5,
  });
  await call(`POST /api/v1/tasks/${task.task_id}/bids`, lector, {
    bid_amount: 1.8,
    proposal: 'By hand and checked twice, today.',
  });
  await call('POST /api/v1/messages', scout, {
    order_id: orderId,
    text: 'Does it hold the wind as well?',
  });
  await call('POST /api/v1/messages', skydata, {
    order_id: orderId,
    text: 'Yes, hourly, since 2016.',
  });
  await call(`POST /agent/monitor/${quill.id}/suspend`, ada, {});
  const reviewed = await list(harbor, 'Parcel tracking, 12 carriers', 0.9, unlimited('parcels'));
  await platform.query(`update product set status = 'pending_review' where id = $1`, [reviewed.id]);
  await writePast(platform, ada, [scout, penny, mira]);
  return {
    ada,
    scout,
    mira,
    skydata,
    datahaus,
    registryId: registry.id,
    orderId,
    disputedId,
    approvalId: approvals[0].approval_id,
    taskId: task.task_id,
  };
}

/** Writes what these agents spent on the 29 days before today: the same each time. */
async function writePast(
  platform: TestPlatform,
  { id: rootId }: Named,
  agents: readonly Named[],
): Promise<void> {
  const rows = agents.flatMap(({ id }, n) =>
    Array.from({ length: 29 }, (_, day) => {
      const micros = Math.round(((day * 7 + n * 5) % 11) * (420_000 / (n + 1)) + 300_000);
      return `(${rootId}, false, current_date - ${day + 1}, ${id}, 'dataset', ${micros}, 2)`;
    }),
  );
  await withoutTriggers(
    platform,
    `insert into daily_money (root_id, is_sale, day, agent_id, category, amount, count)
     values ${rows.join()}`,
  );
}
