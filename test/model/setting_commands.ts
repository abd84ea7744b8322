import fc from 'fast-check';

import { childOf } from '../agents/child.ts';
import type { TestPlatform } from '../harness.ts';
import { any, command, expectAnswer, hasTrades, pick, usd } from './command.ts';
import { NO_LIMITS, type Good, type Limits, type Market, type Member } from './market.ts';
import { setPolicy } from '../policy.ts';
import { makeYesterdays } from '../wallet/yesterday.ts';

/** Two agents with some money and one good of each kind, so that purchases are possible. */
export async function openMarket(market: Market, platform: TestPlatform): Promise<void> {
  await Promise.all([register(market, platform), register(market, platform)]);
  for (const member of market.members) await deposit(platform, member, 2_000_000n);
  const category = 'serial_key';
  await list(market, platform, {
    seller: 0,
    kind: 'serial_pool',
    category,
    price: 99_995n,
    units: 9,
  });
  await list(market, platform, { seller: 1, kind: 'counted', category, price: 250_000n, units: 9 });
  await list(market, platform, { seller: 1, kind: 'unlimited', category, price: 7n, units: 1 });
}

/** Mostly cents, sometimes so small that rounding matters. */
const Price = fc.oneof(
  { weight: 2, arbitrary: fc.bigInt({ min: 10_000n, max: 400_000n }) },
  fc.bigInt({ min: 1n, max: 99n }),
);

const Register = fc.constant(
  command('register', {}, ({ members }) => members.length < 4, register),
);

async function register(market: Market, platform: TestPlatform): Promise<void> {
  const { id, key } = await platform.agent();
  addMember(market, { id, key, locked: { credit: 500_000n, cash: 0n } }, []);
}

function addMember(
  { members }: Market,
  agent: Pick<Member, 'id' | 'key' | 'locked'>,
  above: readonly Member[],
): void {
  const lineage = [...above];
  const member = { ...agent, lineage, spent: 0n, limits: NO_LIMITS };
  lineage.push(member);
  members.push(member);
}

const Spawn = any.map((n) =>
  command(
    'spawn',
    n,
    ({ members }) => members.length < 5,
    async (market, platform) => {
      const owner = pick(market.members, n).lineage[0]!;
      const { id, key } = await childOf(platform, owner);
      addMember(market, { id, key, locked: owner.locked }, [owner]);
    },
  ),
);

const Deposit = fc
  .record({ member: any, micros: fc.bigInt({ min: 1n, max: 2_000_000n }) })
  .map((drawn) =>
    command('deposit', drawn, undefined, ({ members }, platform) =>
      deposit(platform, pick(members, drawn.member), drawn.micros),
    ),
  );

async function deposit(
  platform: TestPlatform,
  { lineage: [root] }: Member,
  micros: bigint,
): Promise<void> {
  await platform.fund(root!.id, usd(micros));
  root!.locked.cash += micros;
}

const Listing = fc.record({
  seller: any,
  kind: fc.constantFrom<Good['kind'][]>('serial_pool', 'counted', 'unlimited'),
  category: fc.constantFrom('serial_key', 'dataset'),
  price: Price,
  units: fc.integer({ min: 1, max: 6 }),
});
type Listing = typeof Listing extends fc.Arbitrary<infer D> ? D : never;

const List = Listing.map((drawn) =>
  command(
    'list',
    drawn,
    ({ goods }) => goods.length < 8,
    (market, platform) => list(market, platform, drawn),
  ),
);

async function list(
  { members, goods }: Market,
  platform: TestPlatform,
  listing: Listing,
): Promise<void> {
  const { kind, category, price, units } = listing;
  const seller = pick(members, listing.seller);
  const secrets = Array.from({ length: units }, (_, n) => `SECRET-${goods.length}-${n}`);
  const { id } = await platform.product(seller, {
    category,
    price: usd(price),
    stock_kind: kind,
    ...(kind === 'serial_pool' ? { items: secrets } : { content: 'shared' }),
    ...(kind === 'counted' && { quantity: units }),
  });
  const left = kind === 'unlimited' ? Number.POSITIVE_INFINITY : units;
  goods.push({ id, seller, category, kind, price, left, active: true });
}

const Change = fc
  .record({
    good: any,
    price: fc.option(Price),
    active: fc.constantFrom(true, true, true, false),
  })
  .map((drawn) =>
    command('change', drawn, undefined, async ({ goods }, platform) => {
      const good = pick(goods, drawn.good);
      const { active } = drawn;
      const price = drawn.price ?? good.price;
      const { key } = good.seller;
      const body = { active, price: usd(price) };
      const reply = await platform.request(`PATCH /api/v1/products/${good.id}`, { key, body });
      expectAnswer(reply, undefined);
      good.active = active;
      good.price = price;
    }),
  );

const Limit = fc
  .record({
    member: any,
    perTx: fc.option(fc.bigInt({ min: 0n, max: 2_000_000n }), { freq: 1 }),
    daily: fc.option(fc.bigInt({ min: 0n, max: 6_000_000n }), { freq: 1 }),
    types: fc.constantFrom([], [], [], ['dataset'], ['serial_key']),
  })
  .map((drawn) =>
    command('limit', drawn, undefined, async ({ members }, platform) => {
      const member = pick(members, drawn.member);
      await writePolicy(platform, member, drawn);
      member.limits = drawn;
    }),
  );

const writePolicy = (platform: TestPlatform, member: Member, { perTx, daily, types }: Limits) =>
  setPolicy(platform, member, {
    max_spend_per_tx: perTx?.toString() ?? null,
    daily_spend_limit: daily?.toString() ?? null,
    allowed_product_types: types,
  });

/** Moves everything so far to yesterday. */
const Midnight = fc.constant(
  command('midnight', {}, hasTrades, async ({ members, trades }, platform) => {
    await makeYesterdays(platform, ...members.map(({ id }) => id));
    for (const trade of trades) trade.today = false;
    for (const member of members) member.spent = 0n;
  }),
);

export const settings = [Register, Spawn, Deposit, List, Change, Limit, Midnight];
