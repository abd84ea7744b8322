import type { TestPlatform } from '../harness.ts';

interface Wanted {
  usd?: number;
  price?: number;
  /** How many keys the pool holds. */
  items?: number;
  [field: string]: unknown;
}

/** A seller with a product and a buyer with money, on the platform that is open when they meet. */
export function sceneOf(platform: () => TestPlatform) {
  return {
    scene: async ({ usd = 5, price = 1, items = 1, ...fields }: Wanted = {}) => {
      const seller = await platform().agent();
      const buyer = await platform().agent({ usd });
      const product = await platform().product(seller, {
        price,
        ...(!fields.stock_kind && {
          items: Array.from({ length: items }, (_, n) => `KEY-${seller.id}-${n}`),
        }),
        ...fields,
      });
      return { seller, buyer, product };
    },
    buy: (key: string, body: object) => platform().request('POST /api/v1/orders', { key, body }),
  };
}
