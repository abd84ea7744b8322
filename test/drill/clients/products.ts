import { secretOf } from '../../../shared/domains/products/products.ts';
import type { Domain } from './domain.ts';
import { goodOf, newUnits, productOf, type Good, type Listing } from './goods.ts';

const STOCK_MAX = 5;
const PRODUCTS_MAX = 40;

/** Sellers list products and add stock, which buyers buy. */
export const products: Domain = {
  by: 'sellers',
  open(trader, { sellers, goods }) {
    const { agent, random, wrong } = trader;
    const seller = sellers.find(({ id }) => id === agent.id)!;
    const titles: string[] = [];
    const own = () => goods.filter((good) => good.seller === seller);

    async function list(): Promise<void> {
      if (titles.length === PRODUCTS_MAX) return addStock();
      const operation = 'create_product';
      const key = trader.newKey(operation);
      const listing = random.pick<() => Listing>([
        () => ({ stock_kind: 'unlimited', content: `content of ${key}`, price: 0.0123 }),
        () => ({ stock_kind: 'serial_pool', items: newUnits(STOCK_MAX), price: 0.0211 }),
        () => ({ stock_kind: 'counted', content: `one ${key}`, quantity: 7, price: 0.0031 }),
      ])();
      const input = productOf(key, listing);
      const twice = random.below(4) === 0;
      await trader.perform(
        { agent, operation, input, key },
        (answer) => {
          if (answer.status !== 200) return wrong(`listing was refused: ${answer.text}`);
          titles.push(key);
          goods.push(goodOf(answer.body.product_id, seller, listing));
        },
        { twice },
      );
    }

    async function addStock(): Promise<void> {
      const good = random.pick(own().filter(({ kind }) => kind !== 'unlimited'));
      const operation = 'add_stock';
      const more = 1 + random.below(STOCK_MAX);
      const units = good.kind === 'serial_pool' ? newUnits(more) : [];
      const input = {
        product_id: good.id,
        ...(units.length > 0 ? { items: units } : { quantity: more }),
      };
      const call = { agent, operation, input, key: trader.newKey(operation) };
      await trader.perform(
        call,
        (answer) => {
          if (answer.status !== 200) return wrong(`adding stock was refused: ${answer.text}`);
          if (units.length > 0) good.items.push(...units);
          else good.quantity += more;
        },
        { twice: random.below(4) === 0 },
      );
    }

    return {
      steps: [
        { weight: 1, run: list },
        { weight: 2, run: addStock },
      ],
      async compare({ database, secrets, same }) {
        const listed: { title: string }[] = await database.query(
          `select title from product where seller_id = $1 and title like 'create_product-%'`,
          [agent.id],
        );
        same('products', `products of agent ${agent.id}`, {
          found: listed.map(({ title }) => title).toSorted(),
          told: titles.toSorted(),
        });
        for (const good of own()) await compareStock(good);

        async function compareStock(good: Good): Promise<void> {
          const { id } = good;
          const [product] = await database.query(
            // Units of quotes that nobody has bought are nobody's.
            `select quantity + (select coalesce(sum(quantity), 0)::int from quote
                                 where product_id = $1 and holds) as quantity, listed
               from product where id = $1`,
            [id],
          );
          const units: { id: number; status: string; secret: Buffer }[] = await database.query(
            `select id::int, status, secret from stock join stock_secret on stock_id = id
              where product_id = $1`,
            [id],
          );
          const count = (status: string) => units.filter((unit) => unit.status === status).length;
          const found = {
            ...product,
            available: count('available') + count('reserved'),
            sold: count('sold'),
            burned: count('burned'),
          };
          same('quantities', `stock of ${good.kind} product ${id}`, { found, told: stockOf(good) });
          const open = (unit: { id: number; secret: Buffer }) =>
            secrets.open(unit.secret, secretOf({ id: unit.id, sellerId: agent.id }));
          same('units', `units of product ${id}`, {
            found: units.map(open).toSorted(),
            told: good.items.toSorted(),
          });
        }
      },
    };
  },
};

/** A refund gives units back that nobody saw; those of an opened vault are gone. */
function stockOf({ kind, items, quantity, orders }: Good) {
  const unitsOf = (some: Good['orders']) => some.reduce((sum, order) => sum + order.quantity, 0);
  const refunded = orders.filter(({ status }) => status === 'refunded');
  const burned = unitsOf(refunded.filter(({ contents }) => contents));
  const sold = unitsOf(orders) - unitsOf(refunded);
  if (kind === 'serial_pool') {
    const available = items.length - sold - burned;
    return { quantity: null, listed: items.length, available, sold, burned };
  }
  return {
    quantity: kind === 'counted' ? quantity - sold - burned : null,
    listed: kind === 'counted' ? quantity : null,
    available: 0,
    sold: 0,
    burned: 0,
  };
}
