import { TOTP } from 'otpauth';

import type { TestPlatform } from '../../harness.ts';
import type { BrowserLike, PageReply } from '../browser_like.ts';

/** An authenticator app that has scanned the secret of a page. */
export class Authenticator {
  readonly secret: string;

  constructor(page: PageReply) {
    const [, secret] = /<code[^>]*>([A-Z2-7]{32})<\/code>/.exec(page.text) ?? [];
    if (secret === undefined) throw new Error(`no secret is shown: ${page.text.slice(0, 3_000)}`);
    this.secret = secret;
  }

  /** The six digits now, or so many steps later. */
  code(steps = 0): string {
    const totp = new TOTP({ secret: this.secret });
    return totp.generate({ timestamp: Date.now() + steps * 30_000 });
  }
}

/** Turns app codes on. */
export async function withAppCodes(
  browser: BrowserLike,
): Promise<{ app: Authenticator; recovery: string[] }> {
  const path = '/console/account/codes';
  const app = new Authenticator(await browser.post(`${path}/begin`, {}));
  // The one before: two are left that the marketplace takes.
  const on = await browser.post(`${path}/confirm`, { code: app.code(-1) });
  if (on.status !== 200) throw new Error(`the first code was refused: ${on.status}`);
  return { app, recovery: recoveryCodesIn(on) };
}

/** Makes challenges and tickets, so long ago. */
export function partsAgo({ context }: TestPlatform, ms: number): TestPlatform['context'] {
  const { clock } = context;
  const now = () => new Date(clock.now().getTime() - ms);
  return { ...context, clock: Object.assign(Object.create(clock) as typeof clock, { now }) };
}

export const recoveryCodesIn = ({ text }: PageReply): string[] =>
  [...text.matchAll(/<code>([0-9a-z]{4}(?:-[0-9a-z]{4}){3})<\/code>/g)].map(([, code]) => code!);
