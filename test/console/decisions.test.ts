import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { suspendByRule } from '../inbox/waiting.ts';
import { act, openDeal } from '../orders/deal.ts';
import { done } from '../tasks/board.ts';
import { owner, signedIn } from './browser_like.ts';

describe('the decisions of an owner', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('name an agent that a rule has suspended, and let it go on', async () => {
    const { browser, agent } = await owner(platform);
    const child = await childOf(platform, agent);
    await suspendByRule(platform, child);
    const page = await browser.get('/console/todo');
    expect(page.text).to.include('A rule has suspended an agent').and.include(child.username);
    expect(page.text).to.include(`href="/console/agents/${child.id}"`);
    const sent = await browser.submit(page, '/console/do/resume_agent');
    expect(sent.status, sent.text).to.equal(303);
    const [{ status }] = await platform.query('select status from agent where id = $1', [child.id]);
    expect(status).to.equal('active');
    expect((await browser.get('/console/todo')).text).to.include('Nothing waits for you.');
  });

  it('say of a disputed sale what was sold, and to whom', async () => {
    const { buyer, seller, orderId } = await openDeal(platform, { title: 'Tide tables' });
    done(await act(platform, 'dispute_order', { orderId, key: buyer.key }));
    const browser = await signedIn(platform, seller);
    for (const path of ['/console/todo', '/console/disputes']) {
      const { text } = await browser.get(path);
      const row = text.slice(text.indexOf(`id="todo-dispute_to_answer-${orderId}"`));
      const item = row.slice(0, row.indexOf('</li>'));
      expect(item, path).to.include('Tide tables').and.include(buyer.username!);
    }
  });
});

describe('an owner of very many agents', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  it('finds each of them by name, and filters by number where a list would be long', async () => {
    const { browser, agent } = await owner(platform);
    const oldest = await childOf(platform, agent);
    await platform.query(
      `with made as (
         insert into agent (id, username, owner_id, root_id, lineage)
         select next.id, 'many-' || next.id, $1, $1, array[$1, next.id]
           from (select nextval('agent_id') as id from generate_series(1, 300)) next
         returning id, root_id)
       insert into spend (agent_id, root_id) select id, root_id from made`,
      [agent.id],
    );
    const name = oldest.username;
    const { text: found } = await browser.get(`/console/find?query=${name}`);
    expect(found).to.include(`href="/console/agents/${oldest.id}">${name}</a>`);
    for (const path of ['/console/keys', '/console/money']) {
      const { text } = await browser.get(path);
      expect(text.length, path).to.be.below(200_000);
      expect(text, path).to.include('Number of the agent').and.not.include('>many-');
    }
    for (const address of ['keys?agent=x', 'money?agent=x', 'requests?agent_id=x']) {
      expect((await browser.get(`/console/${address}`)).status, address).to.equal(422);
    }
    const { text: keys } = await browser.get(`/console/keys?agent=${oldest.id}`);
    expect(keys).to.include(`Keys of ${name}`);
  });
});
