import { TestPlatform } from '../harness.ts';
import { PASSWORD } from '../console/browser_like.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { openChromium, type Browser, type Page } from './chromium.ts';

interface InBrowser {
  readonly platform: TestPlatform;
  readonly browser: Browser;
}

/** A platform and a browser for the tests of a `describe`: they are there while these run. */
export function inBrowser(env: Record<string, string> = {}): InBrowser {
  const opened: { platform?: TestPlatform; browser?: Browser } = {};
  before(async () => {
    [opened.platform, opened.browser] = await Promise.all([
      TestPlatform.open({ schedules: true, env }),
      openChromium(),
    ]);
  });
  after(async () => {
    await opened.browser?.close();
    await opened.platform?.close();
  });
  return opened as InBrowser;
}

/** Fills in the form of signing in that is on the page, and sends it. */
export async function give(page: Page, name: string, secret = PASSWORD): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel(/^(Password|Token)$/).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The page of this name is there, and its script has run. */
export async function heading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.waitForLoadState('load');
}

/** Signs an owner in, to whom home is shown. */
export async function signIn(
  page: Page,
  { platform }: InBrowser,
  { username }: { username: string },
): Promise<void> {
  await page.goto(`${platform.url}/console`);
  await give(page, username);
  await heading(page, 'Home');
}

/** Signs the operator of the tests in. */
export async function signInOperator(page: Page, { platform }: InBrowser): Promise<void> {
  await page.goto(`${platform.url}/admin`);
  await give(page, 'operator', OPERATOR_TOKEN);
  await heading(page, 'Overview');
}
