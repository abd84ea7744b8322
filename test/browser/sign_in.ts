import { PASSWORD } from '../console/browser_like.ts';
import type { Page } from './chromium.ts';

/** Signs in at the console, by its page. */
export async function signInAs(
  page: Page,
  { url }: { url: string },
  { username }: { username: string },
): Promise<void> {
  await page.goto(`${url}/console`);
  await page.getByLabel('Name').fill(username);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
}
