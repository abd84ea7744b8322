// test:all: the own test of a double.
import { expect } from 'chai';
import Stripe from 'stripe';

import { API_VERSION } from '../../sandbox/stripe/account.ts';
import { storedSchemas, stripeSchemas } from './stripe_schemas.ts';

describe('the schemas of the Stripe double', () => {
  it('are those of the SDK that is installed: npm run build:stripe writes them anew', () => {
    expect(storedSchemas()).to.equal(stripeSchemas());
    expect(new Stripe('sk_test').getApiField('version')).to.equal(API_VERSION);
  });
});
