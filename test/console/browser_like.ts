import { randomUUID } from 'node:crypto';

import type { TestPlatform } from '../harness.ts';

/** The answer of a page. */
export interface PageReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly location: string | null;
}

export const PASSWORD = 'correct horse battery';

/** Requests as a browser makes them, without scripts: cookies, forms, Sec-Fetch-Site. */
export class BrowserLike {
  readonly cookies = new Map<string, string>();
  readonly platform: TestPlatform;

  constructor(platform: TestPlatform) {
    this.platform = platform;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<PageReply> {
    return this.#send(path, { headers: { accept: 'text/html', ...headers } });
  }

  /** Sends a form. `fields` may name a field several times. */
  async post(
    path: string,
    fields: Record<string, string | readonly string[]>,
    headers: Record<string, string> = {},
  ): Promise<PageReply> {
    const pairs = Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value] as [string, string]),
    );
    return this.#send(path, {
      method: 'POST',
      headers: {
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
      body: new URLSearchParams(pairs).toString(),
    });
  }

  /** Sends one of the forms of a page as it stands there, with what its person fills in. */
  async submit(
    page: PageReply,
    action: string,
    filled: Record<string, string | readonly string[]> = {},
  ): Promise<PageReply> {
    const form = formsOf(page.text).find((one) => one.action === action);
    if (!form) throw new Error(`there is no form of ${action}: ${page.text.slice(0, 2_000)}`);
    return this.post(action, { ...form.fields, ...filled });
  }

  /** Sends a form with a file, and its other fields. */
  async postFile(
    path: string,
    fields: Record<string, readonly string[]>,
    { name, content }: { name: string; content: string },
  ): Promise<PageReply> {
    const body = new FormData();
    for (const [field, values] of Object.entries(fields))
      for (const value of values) body.append(field, value);
    body.append(name, new File([content], 'list.csv', { type: 'text/csv' }));
    const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
    return this.#send(path, { method: 'POST', headers, body });
  }

  signIn(name: string, { secret = PASSWORD, kind = 'console' } = {}): Promise<PageReply> {
    return this.post(`/${kind}/login`, { name, secret, next: `/${kind}` });
  }

  async #send(path: string, init: RequestInit): Promise<PageReply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as object), ...(cookie && { cookie }) };
    const reply = await fetch(this.platform.url + path, { ...init, headers, redirect: 'manual' });
    for (const set of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    const { status } = reply;
    const location = reply.headers.get('location');
    return { status, headers: reply.headers, text: await reply.text(), location };
  }
}

/** A new owner who has signed in. */
export async function owner(
  platform: TestPlatform,
  { usd = 0 } = {},
): Promise<{ browser: BrowserLike; agent: { id: number; key: string; username: string } }> {
  const agent = await platform.agent({ usd });
  return { agent, browser: await signedIn(platform, agent) };
}

export async function signedIn(
  platform: TestPlatform,
  { username }: { username: string },
): Promise<BrowserLike> {
  const browser = new BrowserLike(platform);
  const { status } = await browser.signIn(username);
  if (status !== 303) throw new Error(`signing in failed: ${status}`);
  return browser;
}

/** An operator who has signed in. */
export async function operator(
  platform: TestPlatform,
  { name = 'operator', secret = 'operator-token-of-the-tests' } = {},
): Promise<BrowserLike> {
  const browser = new BrowserLike(platform);
  const { status } = await browser.signIn(name, { secret, kind: 'admin' });
  if (status !== 303) throw new Error(`signing in failed: ${status}`);
  return browser;
}

export interface Form {
  /** Empty: the address of its page. */
  readonly action: string;
  readonly method: 'get' | 'post';
  readonly fields: Record<string, string[]>;
  /** Names of the fields that a person types into. */
  readonly typed: readonly string[];
  /** Values of each list to choose from. */
  readonly choices: Readonly<Record<string, readonly string[]>>;
  /** Names and values of its buttons that have one. */
  readonly buttons: readonly (readonly [name: string, value: string])[];
  /** The name of its file, which makes it multipart/form-data. */
  readonly file: string | undefined;
}

/** The forms of a page, with the fields that are filled in already. */
export function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form(?:[^>]*? action="([^"]*)")?[^>]*>(.*?)<\/form>/gs)].map(
    ([whole, action = '', inner]) => {
      const fields: Record<string, string[]> = {};
      const choices: Record<string, string[]> = {};
      for (const [tag] of inner!.matchAll(/<input(?:"[^"]*"|[^">])*>/g)) {
        const name = attribute(tag, 'name');
        const isChoice = /type="(checkbox|radio)"/.test(tag);
        if (name === undefined || (isChoice && !/ checked/.test(tag))) continue;
        (fields[name] ??= []).push(attribute(tag, 'value') ?? '');
      }
      for (const [, tag, text] of inner!.matchAll(/<textarea([^>]*)>(.*?)<\/textarea>/gs)) {
        fields[attribute(tag!, 'name')!] = [textOf(text!)];
      }
      for (const [, tag, options] of inner!.matchAll(/<select([^>]*)>(.*?)<\/select>/gs)) {
        const all = [...options!.matchAll(/<option[^>]*>/g)].map(([option]) => option);
        const chosen = all.find((option) => / selected/.test(option)) ?? all[0]!;
        fields[attribute(tag!, 'name')!] = [attribute(chosen, 'value') ?? ''];
        choices[attribute(tag!, 'name')!] = all.map((one) => attribute(one, 'value') ?? '');
      }
      const typed = [...inner!.matchAll(/<(?:input|textarea)(?:"[^"]*"|[^">])*>/g)]
        .filter(([tag]) => !/type="(hidden|checkbox|radio|file)"/.test(tag))
        .flatMap(([tag]) => attribute(tag, 'name') ?? []);
      const buttons = [...inner!.matchAll(/<button(?:"[^"]*"|[^">])*>/g)].flatMap(([tag]) => {
        const name = attribute(tag, 'name');
        return name === undefined ? [] : [[name, attribute(tag, 'value') ?? ''] as const];
      });
      const [fileTag] = /<input(?=[^>]*type="file")(?:"[^"]*"|[^">])*>/.exec(inner!) ?? [];
      const file = fileTag && attribute(fileTag, 'name');
      const method = /^<form[^>]* method="post"/.test(whole) ? 'post' : 'get';
      return { action: textOf(action!), method, fields, typed, choices, buttons, file };
    },
  );
}

const attribute = (tag: string, name: string): string | undefined => {
  const [, value] = new RegExp(` ${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined ? undefined : textOf(value);
};

const textOf = (html: string) =>
  html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');

export const newKey = () => randomUUID();
