import { expect } from 'chai';

import { waitPreferenceOf } from '../../../api/http/wait_preference.ts';
import { getWallet } from '../../../shared/domains/wallet/get_wallet.ts';
import { purchaseProduct } from '../../../shared/domains/orders/purchase_product.ts';

describe('the wait that a caller prefers', () => {
  const preferred = (prefer?: string, wait?: unknown) =>
    waitPreferenceOf(purchaseProduct, wait, prefer, 1_234);

  it('is bounded by 25 seconds in a header, which is a wish', () => {
    expect(preferred('wait=60')).to.deep.equal({ waitMs: 25_000, applied: 'wait=25' });
    expect(preferred('wait=7')).to.deep.equal({ waitMs: 7_000, applied: 'wait=7' });
    expect(preferred('handling=lenient, wait="3"')).to.include({ waitMs: 3_000 });
    for (const odd of [undefined, '', 'wait=-1', 'wait=soon', 'await=3']) {
      expect(preferred(odd), odd).to.deep.equal({ waitMs: 1_234 });
    }
  });

  it('is that of the field where there are both, and none for what is answered at once', () => {
    expect(preferred('respond-async', 5)).to.deep.equal({ waitMs: 5_000 });
    expect(waitPreferenceOf(getWallet, undefined, undefined, 1_234)).to.deep.equal({ waitMs: 0 });
  });
});
