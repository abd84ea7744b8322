import { contentOf, secretOf } from '../../../../shared/domains/products/products.ts';
import type { Agent } from '../../calls/call.ts';
import type { Comparison } from '../../comparison.ts';
import type { ExpectedOrder } from '../goods.ts';

interface Order {
  readonly id: number;
  readonly product_id: number;
  readonly quantity: number;
  readonly total: number;
  readonly refunded: number;
  readonly status: string;
}

/** The buyer's orders, their events, openings and vaults are those that it was told of. */
export async function compareOrders(
  comparison: Comparison,
  { id: buyer }: Agent,
  known: ReadonlyMap<number, ExpectedOrder>,
): Promise<void> {
  const { database, same } = comparison;
  const found: Order[] = await database.query(
    `select id::int, product_id::int, quantity, (subtotal + fee)::int as total, refunded::int,
            status
       from orders where buyer_id = $1 order by id`,
    [buyer],
  );
  const byId = new Map(found.map((order) => [order.id, order]));
  const ids = new Set([...byId.keys(), ...known.keys()]);
  for (const id of ids) {
    const what = `order ${id} of agent ${buyer}`;
    const own = known.get(id);
    same('orders', what, { found: byId.get(id), told: own && rowOf(own) });
  }
  await compareEvents(comparison, buyer, known);
  await compareOpenings(comparison, buyer, known);
  await compareVaults(comparison, buyer, known);
}

const rowOf = ({ id, good, quantity, subtotal, fee, refunded, status }: ExpectedOrder): Order => ({
  id,
  product_id: good.id,
  quantity,
  total: subtotal + fee,
  refunded,
  status,
});

/** Both parties were notified of what happened to an order, in its order, and of nothing else. */
async function compareEvents(
  { database, same }: Comparison,
  buyer: number,
  known: ReadonlyMap<number, ExpectedOrder>,
): Promise<void> {
  const events: { order_id: number; agent_id: number; types: string[] }[] = await database.query(
    `select object_id::int as order_id, agent_id::int, array_agg(type order by e.id) as types
       from drill.all_event e join orders o on o.id = e.object_id
      where object_kind = 'order' and o.buyer_id = $1 group by 1, 2`,
    [buyer],
  );
  const byParty = new Map(
    events.map(({ order_id, agent_id, types }) => [`${order_id} ${agent_id}`, types]),
  );
  for (const { id, good, events: told } of known.values()) {
    for (const party of [buyer, good.seller.id]) {
      const what = `events of order ${id} for agent ${party}`;
      same('events', what, { found: byParty.get(`${id} ${party}`), told });
    }
  }
}

/** Each opening that was answered has its row, and no row is of an opening that nobody sent. */
async function compareOpenings(
  { database, same }: Comparison,
  buyer: number,
  known: ReadonlyMap<number, ExpectedOrder>,
): Promise<void> {
  const rows: { order_id: number; requests: string[]; firsts: number }[] = await database.query(
    `select object_id::int as order_id, array_agg(request_id) as requests,
            count(*) filter (where first)::int as firsts
       from drill.all_opening where object_kind = 'order' and agent_id = $1 group by 1`,
    [buyer],
  );
  const byOrder = new Map(rows.map((row) => [row.order_id, row]));
  for (const { id, openings, contents } of known.values()) {
    const { requests = [], firsts = 0 } = byOrder.get(id) ?? {};
    const missing = openings.answered.filter((request) => !requests.includes(request));
    const unknown = requests.filter((request) => !openings.sent.includes(request));
    same('openings', `openings of order ${id}`, {
      found: { missing, unknown, firsts },
      told: { missing: [], unknown: [], firsts: contents ? 1 : 0 },
    });
  }
}

/** A vault contains what it contained when it was opened, byte for byte. */
async function compareVaults(
  { database, secrets, same }: Comparison,
  buyer: number,
  known: ReadonlyMap<number, ExpectedOrder>,
): Promise<void> {
  const rows: Sealed[] = await database.query(
    `select o.id::int as order_id, o.seller_id::int, o.product_id::int, s.id::int as unit_id,
            coalesce(secret, given.content) as sealed, given.version
       from orders o
       left join stock s on s.order_id = o.id
       left join stock_secret on stock_id = s.id
       join product_version v on (v.product_id, v.version) = (o.product_id, o.version)
       left join product_version given
         on (given.product_id, given.version) = (v.product_id, v.content_version)
      where o.buyer_id = $1 order by s.id`,
    [buyer],
  );
  for (const { id, good, contents, status } of known.values()) {
    // Items that nobody saw went back on sale with the refund.
    if (!contents && status === 'refunded') continue;
    const own = rows.filter(({ order_id, sealed }) => order_id === id && sealed !== null);
    const found = own.map((row) => open(row));
    if (good.kind === 'serial_pool') {
      const foreign = found.filter((text) => !good.items.includes(text));
      same('vaults', `units of order ${id} that are not of its product`, {
        found: foreign,
        told: [],
      });
    }
    if (contents) same('vaults', `vault of order ${id}`, { found, told: contents });
    if (good.content) same('vaults', `vault of order ${id}`, { found, told: [good.content] });
  }

  function open({ unit_id, seller_id: sellerId, product_id, version, sealed }: Sealed): string {
    return secrets.open(
      sealed!,
      unit_id === null
        ? contentOf({ id: product_id, version, sellerId })
        : secretOf({ id: unit_id, sellerId }),
    );
  }
}

interface Sealed {
  readonly order_id: number;
  readonly seller_id: number;
  readonly product_id: number;
  readonly unit_id: number | null;
  readonly version: number;
  /** null: it delivers nothing. */
  readonly sealed: Buffer | null;
}
