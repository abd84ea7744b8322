// test:all: the conformance suite of sign-in is run.
import { expect } from 'chai';

import { conformAuthorization } from '../mcp/conformance.ts';
import { OAuthRig } from './rig.ts';

describe("MCP's conformance suite for authorization servers", function () {
  this.timeout(120_000);
  let rig: OAuthRig;
  before(async () => {
    rig = await OAuthRig.open({ workers: false, env: { CLIENT_ID_DOCUMENTS: 'true' } });
  });
  after(() => rig.close());

  it('passes, down to what it only warns of', async () => {
    const { username } = await rig.platform.agent();
    const statuses = await conformAuthorization(`${rig.origin}/oauth`, {
      resource: rig.resource,
      register: async (callback) =>
        (await rig.register({ client_name: 'Conformance', redirect_uris: [callback] })).client_id,
      consent: (url) => rig.consent(url, { username }),
    });
    expect(statuses).to.deep.equal({
      'authorization-server-metadata': 'SUCCESS',
      'authorization-server-metadata-cimd': 'SUCCESS',
      'authorization-code-grant': 'SUCCESS',
    });
  });
});
