// Tests of `npm run clients`. `npm test` does not run this file, whose name does not end in
// `.test.ts`: it installs coding agents, which are ten times as large as the project.
import { join } from 'node:path';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { followLink } from '../api/oauth/printed_link.ts';
import { OAuthRig } from '../api/oauth/rig.ts';
import { installPackages } from '../client/packages.ts';
import { ROOT } from '../sources.ts';
import { claudeCode } from './claude_code.ts';
import { codex } from './codex.ts';
import { openCode } from './opencode.ts';
import { openSandbox } from './sandbox.ts';
import { startStreamingModel, type Conversation } from './streaming_model.ts';

describe('coding agents, as they are', function () {
  this.timeout(300_000);

  let rig: OAuthRig;
  let packages: string;
  let product: number;
  before(async () => {
    const folder = await installPackages(
      'coding-agents',
      join(ROOT, 'test/coding_agents/packages'),
    );
    packages = join(folder, 'node_modules');
    rig = await OAuthRig.open();
    const seller = await rig.platform.agent();
    const items = ['a', 'b', 'c', 'd', 'e', 'f'];
    product = (await rig.platform.product(seller, { price: 2, items })).id;
  });
  after(async () => {
    expect(await audit(rig.platform.context.database)).to.deep.equal([]);
    await rig.close();
  });

  for (const agent of [claudeCode, codex, openCode]) {
    it(`sign their owner in, buy, meet the limit, and are refused once ended: ${agent.name}`, async () => {
      const owner = await rig.platform.agent({ usd: 20 });
      const connections = async () =>
        (await rig.platform.request('GET /api/v1/connections', { key: owner.key })).body
          .connections;
      const end = async () => {
        const [{ connection_id: id }] = await connections();
        const { body } = await rig.platform.request(`DELETE /api/v1/connections/${id}`, {
          key: owner.key,
        });
        expect(body.status).to.equal('revoked');
        // Each process does so twice in a second.
        await rig.platform.context.keys.look();
      };

      let last: Conversation | undefined;
      const model = await startStreamingModel(agent.protocol, async (conversation) => {
        last = conversation;
        const { length } = conversation.results;
        if (length === 2) await end();
        if (length === 3) return { text: 'That was all.' };
        return { tool: 'purchase_product', args: { product_id: product } };
      });
      const sandbox = await openSandbox(agent.settings({ model: model.url }));
      try {
        const { signIn, list, ask } = agent.open({ packages, model: model.url }, sandbox);
        const signedIn = await signIn(`${rig.origin}/mcp?tools=market`);
        await followLink(rig, signedIn.said, {
          username: owner.username,
          scopes: ['read', 'buy'],
          limit: '3',
        });
        expect(await signedIn.ended, signedIn.said()).to.equal(0);
        const [connection] = await connections();
        expect(connection).to.include({ app: agent.app, daily_spend_limit: 3, spent_today: 0 });
        const listed = list();
        await listed.ended;
        expect(listed.said()).to.contain(agent.connected);

        const asked = ask('Buy the product three times.');
        expect(await asked.ended, asked.said()).to.equal(0);
        expect(asked.said()).to.contain('That was all.');
        const [bought, refused, ended] = last!.results.map((text) => text.replaceAll('\\', ''));
        expect(bought).to.contain('"status":"escrow"');
        expect(refused).to.contain('"error":"daily_limit_exceeded"');
        expect(ended).to.contain(agent.refused);
        expect(await rig.platform.balance(owner)).to.equal(20.5 - 2.2);

        const listedAgain = list();
        await listedAgain.ended;
        expect(listedAgain.said()).to.contain(agent.ended ?? agent.connected);
        const unexpected = sandbox.wanted.filter((host) => !agent.wants?.test(host));
        expect(unexpected).to.deep.equal([]);
      } finally {
        await sandbox.close();
        await model.stop();
      }
    });
  }
});
