import { expect } from 'chai';

import { storedSchemas, stripeSchemas } from './stripe_schemas.ts';

describe('the schemas of the Stripe double', () => {
  it('are those of the SDK that is installed: npm run build:stripe writes them anew', () => {
    expect(storedSchemas()).to.equal(stripeSchemas());
  });
});
