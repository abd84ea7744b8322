// test:all: Chromium is started and pages are walked through.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';
import type { CDPSession } from 'playwright-core';

import { OAuthRig } from '../api/oauth/rig.ts';
import { PASSWORD } from '../console/browser_like.ts';
import type { TestPlatform } from '../harness.ts';
import { problemsOf, problemsOfLooks, TWO_LOOKS } from './axe.ts';
import { freshPage, openChromium, type Browser, type Page } from './chromium.ts';

/** Chromium's own authenticator without a device (WebAuthn's WebDriver extension). */
interface Device {
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

describe('passkeys in a browser', function () {
  this.timeout(300_000);
  let rig: OAuthRig;
  let platform: TestPlatform;
  let browser: Browser;
  before(async () => {
    // Browsers make passkeys for names only.
    rig = await OAuthRig.open({ host: 'localhost', workers: false });
    ({ platform } = rig);
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await rig.close();
  });

  async function deviceOf(page: Page): Promise<Device> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable', { enableUI: false });
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return { cdp, authenticatorId };
  }

  /** Whether somebody touches the device when it is asked. */
  const touch = ({ cdp, authenticatorId }: Device, enabled: boolean) =>
    cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });

  async function signIn(page: Page, name: string): Promise<void> {
    await page.goto(`${rig.origin}/console`);
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  }

  async function add(page: Page, name: string): Promise<void> {
    await page.goto(`${rig.origin}/console/account`);
    await page.getByLabel('Passkey name').fill(name);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The passkey was added').waitFor();
  }

  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  };

  const proofsOf = async (agentId: number): Promise<string[]> =>
    (
      await platform.query(
        `select data->>'proof' as proof from event
          where agent_id = $1 and type = 'agent.signed_in' order by id`,
        [agentId],
      )
    ).map(({ proof }: { proof: string }) => proof);

  it('are added, named, used to sign in by a button and where the name is typed, and removed', async () => {
    const agent = await platform.agent();
    const { page, context, faults } = await freshPage(browser);
    const device = await deviceOf(page);
    await signIn(page, agent.username);
    await add(page, 'laptop');
    expect(await problemsOf(page)).to.deep.equal([]);
    await page.getByLabel('Name of the passkey laptop').fill('desk');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name of the passkey desk').waitFor();

    await page.getByLabel('Passkey name').fill('again');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('This device has a passkey of this account already.').waitFor();
    await page.getByLabel('Passkey name').fill('   ');
    expect(await page.locator('[name=name][pattern]:invalid').count()).to.equal(1);
    await touch(device, false);
    await signOut(page);
    expect(await problemsOf(page)).to.deep.equal([]);
    await touch(device, true);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    expect(await proofsOf(agent.id)).to.deep.equal(['password', 'passkey']);

    // A touch is enough beside a typed name.
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    expect(await proofsOf(agent.id)).to.deep.equal(['password', 'passkey', 'passkey']);

    await page.goto(`${rig.origin}/console/account`);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('It signs nobody in').waitFor();
    await touch(device, false);
    await signOut(page);
    await touch(device, true);
    await Promise.all([
      page.waitForRequest((request) => request.method() === 'POST'),
      page.getByRole('button', { name: 'Use a passkey' }).click(),
    ]);
    // The page that says so asks again, and would be answered again and again.
    await touch(device, false);
    await page.getByText('The passkey is unknown here').waitFor();
    expect(faults.filter((fault) => !fault.includes('401'))).to.deep.equal([]);
    await context.close();
  });

  it('connect an app with the limit that was filled in, once their button is pressed', async () => {
    const agent = await platform.agent();
    const { page, context, faults } = await freshPage(browser);
    await deviceOf(page);
    await signIn(page, agent.username);
    await add(page, 'laptop');
    const home = createServer((_, response) => response.end('Back at the app'));
    await once(home.listen(0, '127.0.0.1'), 'listening');
    const back = `http://127.0.0.1:${(home.address() as AddressInfo).port}/callback`;
    const { client_id } = await rig.register({
      client_name: 'Cursor',
      redirect_uris: [back],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    });
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: back,
      scope: 'read buy',
      resource: rig.resource,
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    });
    await page.goto(`${rig.origin}/oauth/authorize?${asked}`);
    await page.getByLabel('Dollars a day at most').fill('3');
    expect(await problemsOfLooks(page, 'consent', TWO_LOOKS)).to.deep.equal([]);
    const connected = async () =>
      (await platform.request('GET /api/v1/connections', { key: agent.key })).body.connections.map(
        ({ daily_spend_limit: usd }: { daily_spend_limit: number }) => usd,
      );
    // A device that would answer at once was not asked before.
    expect(await connected()).to.deep.equal([]);
    await page.getByRole('button', { name: 'Connect with a passkey' }).click();
    await page.getByText('Back at the app').waitFor();
    expect(new URL(page.url()).searchParams.get('code')).to.be.a('string');
    expect(await connected()).to.deep.equal([3]);
    expect(faults).to.deep.equal([]);
    await context.close();
    home.closeAllConnections();
    home.close();
  });

  it('are a fresh proof, for their own owner alone, and each answer once', async () => {
    const agent = await platform.agent();
    const { page, context } = await freshPage(browser);
    await deviceOf(page);
    await signIn(page, agent.username);
    await add(page, 'laptop');
    const old = `update web_session set proved_at = now() - interval '11 minutes'
                  where agent_id = $1`;
    await platform.query(old, [agent.id]);
    const limitOf = async () =>
      (await platform.request('GET /api/v1/wallet', { key: agent.key })).body.daily_spend_limit;
    await page.goto(`${rig.origin}/console/agents/${agent.id}`);
    await page.getByLabel('A day, at most').fill('9');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByRole('heading', { name: 'Prove that it is you' }).waitFor();
    expect(await limitOf()).to.equal(null);
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'POST'),
      page.getByRole('button', { name: 'Use a passkey' }).click(),
    ]);
    await page.getByText('$9.00 a day').waitFor();
    expect(await limitOf()).to.equal(9);

    // The same answer proves nothing again, neither here nor to sign in.
    const answer = new URLSearchParams(sent.postData()!).get('_passkey')!;
    await platform.query(old, [agent.id]);
    const cookie = (await context.cookies())
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const send = (path: string, fields: Record<string, string>) =>
      fetch(rig.origin + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' },
        body: new URLSearchParams(fields),
      });
    const input = { agent_id: String(agent.id), daily_spend_limit: '10' };
    const again = await send('/console/do/set_policy', { ...input, _passkey: answer });
    expect(again.status).to.equal(401);
    const login = await send('/console/login', { _passkey: answer, next: '/console' });
    expect(login.status).to.equal(401);
    expect(await limitOf()).to.equal(9);
    await context.close();
  });

  it('are no proof of another owner, nor when they were begun for another session', async () => {
    const [agent, second] = [await platform.agent(), await platform.agent()];
    const { page, context } = await freshPage(browser);
    await deviceOf(page);
    await signIn(page, agent.username);
    await add(page, 'laptop');
    await page.goto(`${rig.origin}/console/account`);
    const asked = await page.locator('button[data-passkey]').getAttribute('data-passkey');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    const { challenge } = JSON.parse(asked!) as { challenge: string };
    // The device signs a challenge of ours for something else.
    await page.goto(`${rig.origin}/console/account`);
    await page.evaluate((text) => {
      const button = document.querySelector<HTMLElement>('button[data-passkey]')!;
      const options = JSON.parse(button.dataset.passkey!);
      options.challenge = text;
      options.excludeCredentials = [];
      button.dataset.passkey = JSON.stringify(options);
    }, challenge);
    await page.getByLabel('Passkey name').fill('planted');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The passkey is unknown here').waitFor();
    const rows = await platform.query(
      'select agent_id, name from passkey where agent_id = any ($1)',
      [[agent.id, second.id]],
    );
    expect(rows.map(({ name }: { name: string }) => name)).to.deep.equal(['laptop']);
    await context.close();
  });
});
