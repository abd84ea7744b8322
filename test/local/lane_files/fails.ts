import { expect } from 'chai';

describe('a file that fails', () => {
  it('passes once', () => expect(1).to.equal(1));
  it('fails once', () => {
    console.log('shown because a test failed');
    expect(1).to.equal(2);
  });
});
