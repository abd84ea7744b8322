import { STATUS_CODES } from 'node:http';

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: object;
  readonly form?: Readonly<Record<string, string | readonly string[]>>;
}

/** Sends requests, keeps cookies as a browser does, and writes down what went over the wire. */
export class Transcript {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();
  readonly #names: [secret: string, name: string][] = [];
  readonly blocks: string[] = [];

  constructor(origin: string, shownOrigin: string) {
    this.#origin = origin;
    this.call(origin, shownOrigin);
    this.call(encodeURIComponent(origin), encodeURIComponent(shownOrigin));
  }

  /** Shows this text by another name: it is secret, or differs from run to run. */
  call(text: string, name: string): void {
    this.#names.push([text, name]);
  }

  async send(method: string, path: string, { headers = {}, json, form }: Asked = {}) {
    const fields = Object.entries(form ?? {}).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, one as string]),
    );
    const body = json ? JSON.stringify(json) : form && String(new URLSearchParams(fields));
    const type = json ? 'application/json' : 'application/x-www-form-urlencoded';
    const shown = { ...(body && { 'Content-Type': type }), ...headers };
    const cookie = [...this.#cookies].map((one) => one.join('=')).join('; ');
    const response = await fetch(this.#origin + path, {
      method,
      headers: { accept: 'application/json, text/event-stream, text/html', cookie, ...shown },
      redirect: 'manual',
      ...(body && { body }),
    });
    const text = await response.text();
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      this.#cookies.set(name!, value!);
    }
    const { status } = response;
    const told = ['WWW-Authenticate', 'Location'].flatMap((name) => {
      const value = response.headers.get(name);
      return value ? [`${name}: ${value}`] : [];
    });
    const lines = [
      `${method} ${path}`,
      ...Object.entries(shown).map(([name, value]) => `${name}: ${value}`),
      ...(body ? ['', body] : []),
      '',
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...told,
      ...(status === 200 || status === 201 ? ['', shortOf(text)] : []),
    ];
    this.blocks.push(lines.join('\n').trim());
    return { status, text, location: response.headers.get('location') ?? '' };
  }

  /** Returns the transcript, with the names in place of what differs. */
  shown(): string[] {
    return this.blocks.map((block) =>
      this.#names
        .reduce((text, [secret, name]) => text.replaceAll(secret, name), block)
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-23T10:00:00.000Z')
        // The same as text, for clients that read no structured content.
        .replaceAll(/"content":\[.*?\],(?="structuredContent")/g, '"content":[…],')
        .replaceAll(/"client_id_issued_at":\d+/g, '"client_id_issued_at":1795438327'),
    );
  }
}

/** A page of HTML is shown as the names of the fields of its form. */
function shortOf(text: string): string {
  if (!text.startsWith('<!doctype')) return text;
  const fields = [...text.matchAll(/<(?:input|button)[^>]* name="(\w+)"/g)].map(([, name]) => name);
  return `(a page; its form sends ${[...new Set(fields)].join(', ')})`;
}
