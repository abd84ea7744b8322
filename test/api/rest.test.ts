import { expect } from 'chai';

import { House } from '../harness.ts';

describe('the REST door', () => {
  let house: House;
  before(async () => (house = await House.open()));
  after(() => house.close());

  it('answers an unknown path with not_found', async () => {
    const { status, body } = await house.request('GET /nowhere');
    expect(status).to.equal(404);
    expect(body.error).to.equal('not_found');
    expect(body.request_id).to.match(/^req_/);
  });

  it('asks for a key', async () => {
    const { status, body, headers } = await house.request('GET /api/v1/jobs/x?wait=zzz');
    expect(status).to.equal(401);
    expect(body.error).to.equal('authentication_required');
    expect(headers.get('www-authenticate')).to.equal('Bearer realm="agent-marketplace"');
  });
});
