import { expect } from 'chai';

import { OAuthRig } from '../rig.ts';

describe('where an app looks for the metadata', () => {
  const KEY = { authorization: 'Bearer vnx_a_key' };
  let rig: OAuthRig;
  before(async () => (rig = await OAuthRig.open({ workers: false })));
  after(() => rig.close());

  const read = async (path: string, headers = {}) => {
    const { status, body } = await rig.platform.request(`GET ${path}`, { headers });
    return status === 200 ? body : status;
  };

  for (const name of ['oauth-authorization-server', 'openid-configuration']) {
    it(`${name} is one document at the root and around each path`, async () => {
      const first = await read(`/.well-known/${name}/oauth`);
      expect(first).to.include({ issuer: `${rig.origin}/oauth` });
      expect(first.code_challenge_methods_supported).to.deep.equal(['S256']);
      const isOpenId = name === 'openid-configuration';
      expect(first.subject_types_supported).to.deep.equal(isOpenId ? ['public'] : undefined);
      for (const path of ['', '/oauth', '/mcp', '/api/v1/mcp']) {
        expect(await read(`/.well-known/${name}${path}`), path).to.deep.equal(first);
        expect(await read(`${path}/.well-known/${name}`), path).to.deep.equal(first);
      }
    });
  }

  it('oauth-protected-resource names each address of MCP, before and after its path', async () => {
    for (const path of ['', '/mcp', '/mcp/lean', '/api/v1/mcp', '/api/v1/mcp/core']) {
      for (const at of [
        `/.well-known/oauth-protected-resource${path}`,
        `${path}/.well-known/oauth-protected-resource`,
      ]) {
        expect(await read(at), at).to.deep.include({
          resource: rig.origin + path,
          authorization_servers: [`${rig.origin}/oauth`],
        });
      }
    }
  });

  it('nothing is there for who sends a key along, but below the path of apps', async () => {
    for (const name of [
      'oauth-authorization-server',
      'openid-configuration',
      'oauth-protected-resource',
    ]) {
      for (const at of [`/.well-known/${name}`, `/.well-known/${name}/api/v1/mcp`]) {
        expect(await read(at, KEY), at).to.equal(404);
        expect(await read(at), at).to.be.an('object');
      }
      expect(await read(`/.well-known/${name}/mcp`, KEY), name).to.be.an('object');
    }
  });
});
