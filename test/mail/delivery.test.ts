import { expect } from 'chai';

import { owner } from '../console/browser_like.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { smtpSettings, startReceiver, type MailReceiver } from './mail_receiver.ts';

const LINK = 'Confirm your email address';

describe('a mail', () => {
  let receiver: MailReceiver;
  let platform: TestPlatform;
  before(async () => {
    receiver = await startReceiver();
    platform = await TestPlatform.open({ env: smtpSettings(receiver) });
  });
  after(async () => {
    await platform.close();
    await receiver.close();
  });

  const mailOf = async (agentId: number) =>
    (await platform.query('select * from mail where agent_id = $1 order by id', [agentId]))[0];
  const jobOf = async (agentId: number) =>
    (
      await platform.query(
        `select status, run_at > now() as waits from job
          where operation = 'send_mail' and agent_id = $1`,
        [agentId],
      )
    )[0];
  const soon = (agentId: number) =>
    platform.query(
      `update job set run_at = now(), push_after = null
        where operation = 'send_mail' and status = 'pending' and run_at > now()
          and agent_id = $1`,
      [agentId],
    );
  async function asked() {
    const { browser, agent } = await owner(platform);
    await browser.post('/console/account/address/prove', {});
    const [{ email }] = await platform.query('select email from agent where id = $1', [agent.id]);
    return { id: agent.id, email: email as string };
  }
  /** Resolves when the job waits for its next attempt. */
  const postponed = (id: number) =>
    eventually(
      () => jobOf(id),
      (job) => job?.status === 'pending' && job.waits === true,
    );

  /** The mail once it has ended, or once its job waits for another attempt. */
  const tried = async (id: number) => {
    const { mail } = await eventually(
      async () => ({ mail: await mailOf(id), job: await jobOf(id) }),
      ({ mail: one, job }) => one?.status !== 'waiting' || job?.waits === true,
    );
    return mail;
  };

  it('waits for a mail server that is down, and is sent when it is up again', async () => {
    const { port } = receiver;
    await receiver.close();
    const { id, email } = await asked();
    await postponed(id);
    expect((await mailOf(id)).status).to.equal('waiting');
    receiver = await startReceiver({ port });
    await eventually(
      async () => {
        await soon(id);
        return mailOf(id);
      },
      ({ status }) => status === 'sent',
    );
    const mails = receiver.mails.filter(({ to }) => to.includes(email));
    expect(mails[0]!.headers.get('subject')).to.equal(LINK);
    // Two attempts may overlap, as their job was hurried on; a mail program shows one mail.
    expect(new Set(mails.map(({ headers }) => headers.get('message-id'))).size).to.equal(1);
  });

  it('is given up 24 hours after it was caused, and not before', async () => {
    receiver.refuse = { code: 451, text: '4.3.0 busy' };
    const { id } = await asked();
    await postponed(id);
    const age = (minutes: number) =>
      platform.query(
        `update mail set created_at = now() - make_interval(mins => $2) where agent_id = $1`,
        [id, minutes],
      );
    await age(23 * 60 + 50);
    const before = receiver.attempts();
    await soon(id);
    await eventually(
      async () => receiver.attempts(),
      (attempts) => attempts > before,
    );
    await postponed(id);
    expect((await mailOf(id)).status).to.equal('waiting');
    await age(24 * 60 + 1);
    const late = receiver.attempts();
    const mail = await eventually(
      async () => {
        await soon(id);
        return mailOf(id);
      },
      ({ status }) => status !== 'waiting' || receiver.attempts() > late + 4,
    );
    receiver.refuse = undefined;
    expect([mail.status, mail.fault?.includes('busy')]).to.deep.equal(['given_up', true]);
    const job = await eventually(
      () => jobOf(id),
      ({ status }) => status === 'complete',
    );
    expect(job.status).to.equal('complete');
  });

  it('is not sent again to a recipient that its server refuses for good', async () => {
    const { browser, agent } = await owner(platform);
    const [{ email }] = await platform.query('select email from agent where id = $1', [agent.id]);
    receiver.refusedRecipients.set(email, 550);
    await browser.post('/console/account/address/prove', {});
    const mail = await tried(agent.id);
    expect([mail.status, mail.fault?.includes('no such mailbox')]).to.deep.equal(['refused', true]);
    const job = await eventually(
      () => jobOf(agent.id),
      ({ status }) => status === 'complete',
    );
    expect(job.waits).not.to.equal(true);
    expect(receiver.named.filter((one) => one === email)).to.have.length(1);
  });

  it('is sent again to a recipient that is refused for now, as by greylisting', async () => {
    const { browser, agent } = await owner(platform);
    const [{ email }] = await platform.query('select email from agent where id = $1', [agent.id]);
    receiver.refusedRecipients.set(email, 450);
    await browser.post('/console/account/address/prove', {});
    await postponed(agent.id);
    receiver.refusedRecipients.clear();
    await eventually(
      async () => {
        await soon(agent.id);
        return mailOf(agent.id);
      },
      ({ status }) => status === 'sent',
    );
  });
});
