import { expect } from 'chai';

import { OPERATOR_TOKEN } from '../access/scene.ts';
import { eventually } from '../harness.ts';
import { WebhookScene } from './scene.ts';

describe('find_webhooks and operator_set_webhook', () => {
  let scene: WebhookScene;
  before(async () => {
    scene = await WebhookScene.open();
  });
  beforeEach(() => scene.begin());
  afterEach(() => scene.end());
  after(() => scene.platform.close());

  const find = async (query: string) =>
    (await scene.call(`GET /api/v1/admin/webhooks?${query}`, undefined, OPERATOR_TOKEN)).webhooks;
  const set = (id: number, status: string) => {
    const body = { status, note: 'It is a loop.' };
    return scene.call(`POST /api/v1/admin/webhooks/${id}`, body, OPERATOR_TOKEN);
  };

  it('stop a webhook and start it: what happened meanwhile is sent', async () => {
    const { webhook_id: id } = await scene.create({ types: ['order.*'] });
    expect((await set(id, 'disabled')).status).to.equal('disabled');
    await scene.write({ id: 1 });
    await scene.sent();
    expect(scene.objects()).to.deep.equal([]);
    expect((await scene.show()).status).to.equal('disabled');
    const later = `update webhook set not_before = now() + interval '1 hour' where id = $1`;
    await scene.platform.query(later, [id]);
    await set(id, 'active');
    await set(id, 'active'); // changes nothing
    await scene.sent();
    await eventually(
      async () => scene.objects(),
      (ids) => ids.length === 1,
    );
    const { events } = await scene.call('GET /api/v1/events?type=webhook.*');
    const told = events.map(({ type, data }: { type: string; data: object }) => [type, data]);
    expect(told).to.deep.equal([
      ['webhook.disabled', { by_operator: true }],
      ['webhook.enabled', { by_operator: true }],
    ]);
  });

  it('find those of a tree, disabled and failing ones, and show no secret of a URL', async () => {
    const { url } = scene.receiver;
    const { webhook_id: id } = await scene.create({ url: `${url}?token=swordfish` });
    const [found, ...others] = await find(`agent_id=${scene.owner.id}`);
    expect(others).to.deep.equal([]);
    expect(found).to.include({ webhook_id: id, root_id: scene.owner.id, status: 'active' });
    expect(JSON.stringify(found)).not.to.match(/swordfish|whsec_/);
    expect(found.url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/hook$/);
    expect(await find(`agent_id=${scene.owner.id}&failing=true`)).to.deep.equal([]);
    await set(id, 'disabled');
    const disabled = await find(`agent_id=${scene.owner.id}&status=disabled&failing=false`);
    expect(disabled.map((one: { webhook_id: number }) => one.webhook_id)).to.deep.equal([id]);
    const route = 'POST /api/v1/admin/webhooks/999999';
    const call = { key: OPERATOR_TOKEN, body: { status: 'active', note: 'x' } };
    expect((await scene.platform.request(route, call)).body.error).to.equal('not_found');
  });
});
