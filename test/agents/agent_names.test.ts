import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { suspend } from '../suspend.ts';
import { childOf } from './child.ts';

describe('agent_names', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const namesFor = async ({ key }: { key: string }) => {
    const { status, body } = await platform.request('GET /api/v1/agent/names', { key });
    expect(status).to.equal(200);
    return body;
  };

  it('has all agents below the caller, the newest first, and no others', async () => {
    const root = await platform.agent();
    const child = await childOf(platform, root);
    const [sibling, below] = [await childOf(platform, root), await childOf(platform, child)];
    await childOf(platform, await platform.agent());
    await suspend(platform, sibling);
    const nameOf = (agent: typeof child, status = 'active') => ({
      agent_id: agent.id,
      agent_name: agent.username.split('/').at(-1),
      status,
    });
    expect(await namesFor(root)).to.deep.equal({
      names: [nameOf(below), nameOf(sibling, 'suspended'), nameOf(child)],
      has_more: false,
    });
    expect(await namesFor(child)).to.deep.equal({ names: [nameOf(below)], has_more: false });
    expect(await namesFor(below)).to.deep.equal({ names: [], has_more: false });
  });

  it('has the newest of very many, and says that there are more', async () => {
    const root = await platform.agent();
    const oldest = await childOf(platform, root);
    await platform.query(
      `insert into agent (id, username, owner_id, root_id, lineage)
       select next.id, 'many-' || next.id, $1, $1, array[$1, next.id]
         from (select nextval('agent_id') as id from generate_series(1, 5000)) next`,
      [root.id],
    );
    const { names, has_more: more } = await namesFor(root);
    expect(names).to.have.length(5_000);
    expect(names.some(({ agent_id: id }: { agent_id: number }) => id === oldest.id)).to.equal(
      false,
    );
    expect(more).to.equal(true);
  });
});
