import { expect } from 'chai';

import { catalog } from '../../shared/composition/catalog.ts';
import { nearestName } from '../../shared/kernel/terms/nearest_name.ts';

const fieldsOf = (operation: string) => Object.keys(catalog.get(operation)!.input.properties);

describe('the nearest name', () => {
  for (const [operation, wrong, right] of [
    ['purchase_product', 'max_price', 'max_total_due'],
    ['purchase_product', 'productId', 'product_id'],
    ['purchase_product', 'product', 'product_id'],
    ['purchase_product', 'quantitiy', 'quantity'],
    ['purchase_product', 'dry_run', undefined],
    ['proxy_list', 'country_code', 'country'],
    ['proxy_list', 'countries', 'country'],
    ['withdraw', 'to_address', 'address'],
    ['register_agent', 'user_name', 'username'],
    ['send_message', 'message', undefined],
  ] as const) {
    it(`to ${wrong} among those of ${operation} is ${right ?? 'none'}`, () => {
      expect(nearestName(wrong, fieldsOf(operation))).to.equal(right);
    });
  }
});
