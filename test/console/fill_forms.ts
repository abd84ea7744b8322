import { formsOf, type BrowserLike, type Form, type PageReply } from './browser_like.ts';

/** Words of validators and of JSON pointers, which are for programs. */
const FOR_PROGRAMS =
  /\bmust (not|be|have|match|differ)\b|is missing|anyOf|(^|\s)\/\w+|expected:|_id\b|cursor of/i;
/** An error code, or part of one, in place of a sentence. */
const CODE = /\b[a-z]+_[a-z_]+\b/;
/** Text that no page shows: values that are none, and places in the code. */
const BROKEN = /undefined|\bNaN\b|\[object Object\]|\.tsx?:\d|\bat \w+ \(/;

const MESSAGES = [
  /<div class="message owed"[^>]*>(.*?)<p class="small dim">/gs,
  /<strong class="problem">(.*?)<\/strong>/gs,
  /<p role="alert">(.*?)<\/p>/gs,
  /<h1 id="fault">(.*?)<p class="small dim">/gs,
];

/** Ways of filling in a form. */
const WAYS: readonly (readonly [what: string, fill: (name: string) => string | undefined])[] = [
  ['empty', () => ''],
  ['with an example', (name) => EXAMPLES[name] ?? 'Streets of Lisbon'],
  ['with nonsense', () => '\u00a7 -1e9 /x/y'],
  ['with too much', () => 'W'.repeat(70_000)],
  ['with what is no text', () => 'a\u0000b'],
  // It comes last: what it does is done, and the page may have no such form any more.
  ['as it stands', () => undefined],
];

/** Values as the lines below the fields describe them. */
const EXAMPLES: Readonly<Record<string, string>> = {
  price: '2.50',
  budget: '0.02',
  amount: '1.00',
  seller_amount: '0.10',
  worker_amount: '0.10',
  threshold: '5',
  monthly_limit: '50',
  max_spend_per_tx: '5',
  daily_spend_limit: '10',
  approval_threshold: '5',
  new_seller_threshold: '1',
  min_seller_buyers: '20',
  quantity: '3',
  release_hours: '72',
  access_days: '30',
  data: '{"city": "Oslo", "people": 717710}',
  items: 'KEY-1\nKEY-2',
  url: 'https://example.com/events',
  expires_at: '2027-06-30',
  reference: 'TICKET-1',
  username: 'olga-the-first',
  email: 'olga@example.com',
  address: 'olga@example.com',
  password: 'correct horse battery staple',
  ask_above: '30.00',
  errors_percent: '20',
  calls_min: '50',
  cost_above: '2.50',
  from: '2026-01-01',
  to: '2026-01-31',
  max_price: '5',
};

const FILES: Readonly<Record<string, string>> = {
  'with an example': 'name,email\nOlga,olga@example.com',
  'with nonsense': '\u00a7 -1e9 /x/y',
  'with too much': 'W'.repeat(70_000),
  'with what is no text': 'a\u0000b',
};

/** The messages about a form, and about a page that is refused. */
const problemsIn = ({ text }: PageReply): string[] =>
  MESSAGES.flatMap((pattern) => [...text.matchAll(pattern)]).map(([, html]) =>
    html!.replaceAll(/<[^>]*>/g, ' ').trim(),
  );

/** Faults of the answer to a form or to an address: what a person could not read or follow. */
export function faultsOf(reply: PageReply, action?: string): string[] {
  const { status, text, headers } = reply;
  const type = headers.get('content-type') ?? '';
  const isFile = headers.get('content-disposition')?.startsWith('attachment') ?? false;
  if (isFile && status === 200) return [];
  if (status >= 500) return ['a fault of ours'];
  if (status === 303) return [];
  if (!type.startsWith('text/html')) return [`is ${type}`];
  const said = problemsIn(reply);
  const isQuestion = /<h1 id="ask">Prove that it is you/.test(text);
  const ids = new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
  const lost = [...text.matchAll(/<a href="#([^"]*)"/g)].filter(([, id]) => !ids.has(id));
  // One form may end another one that was fetched with it.
  const isStillThere = formsOf(text).some((form) => form.action === action);
  const isInvalid = text.includes('<p class="small dim">validation_error, request');
  return [
    ...(status >= 400 && said.length === 0 && !isQuestion ? ['says nothing'] : []),
    ...said.flatMap((words) => (FOR_PROGRAMS.test(words) ? [`says ${words}`] : [])),
    ...said.flatMap((words) => (CODE.test(words) ? [`says a code: ${words}`] : [])),
    ...said.flatMap((words) => (/[.?!]$/.test(words) ? [] : [`says no sentence: ${words}`])),
    ...(isStillThere ? lost : []).map(([, id]) => `leads to no field ${id}`),
    ...(isInvalid && isStillThere && !text.includes('class="problem"')
      ? [`says nothing beside the field: ${said.join(' ')}`]
      : []),
    ...(BROKEN.test(text) ? [`shows ${BROKEN.exec(text)?.[0]}`] : []),
  ];
}

/** A longer address would never reach a page. */
const ADDRESS_CHARS = 3_000;

const JUDGED_ELSEWHERE = /\/logout$/;

/** Sends the forms of pages in all ways, and collects the faults of what is answered. */
export class FormFiller {
  readonly actions = new Set<string>();
  readonly wrong: string[] = [];
  readonly #browser: BrowserLike;

  constructor(browser: BrowserLike) {
    this.#browser = browser;
  }

  /** All forms of the page at a path, or of the page that a link leads to. */
  async fillIn(link: string): Promise<void> {
    for (const [what, fill] of WAYS) {
      const { path, text } = await this.#follow(link);
      const seen = new Set<string>();
      for (const one of formsOf(text)) {
        const form = { ...one, action: one.action || path };
        const id = [form.action, ...form.typed, ...Object.keys(form.fields)].join(' ');
        if (seen.has(id) || JUDGED_ELSEWHERE.test(form.action)) continue;
        seen.add(id);
        this.actions.add(`${form.method} ${form.action}`);
        const isBare = form.typed.length === 0 && form.file === undefined;
        if (what !== 'as it stands' && isBare) continue;
        const max = form.method === 'get' ? ADDRESS_CHARS : Infinity;
        const filled = form.typed.flatMap((name): [string, string[]][] => {
          const value = fill(name)?.slice(0, max);
          return value === undefined ? [] : [[name, [value]]];
        });
        const fields = { ...form.fields, ...Object.fromEntries(filled) };
        const chosenOnes = what === 'with an example' ? choicesOf(form) : [AS_IT_STANDS];
        for (const [choice, chosen] of chosenOnes) {
          const where = `${path} ${form.action} ${what}${choice}`;
          await this.#send(where, form, { ...fields, ...chosen }, FILES[what] ?? '');
        }
      }
    }
  }

  /** The page that a link leads to in the end. */
  async #follow(link: string) {
    let [path, reply] = [link, await this.#browser.get(link)];
    while (reply.status === 303 && reply.location) {
      const { pathname, search } = new URL(reply.location, 'http://here');
      path = pathname + search;
      reply = await this.#browser.get(path);
    }
    return { path, text: reply.text };
  }

  async #send(
    where: string,
    form: Form,
    fields: Record<string, readonly string[]>,
    content: string,
  ): Promise<void> {
    const browser = this.#browser;
    const { action, method, file } = form;
    const pairs = Object.entries(fields).flatMap(([name, values]) =>
      values.map((value) => [name, value] as [string, string]),
    );
    const reply =
      method === 'get'
        ? await browser.get(`${action}?${new URLSearchParams(pairs).toString()}`)
        : file === undefined
          ? await browser.post(action, fields)
          : await browser.postFile(action, fields, { name: file, content });
    const found = faultsOf(reply, action).map((fault) => `${where}: ${reply.status} ${fault}`);
    this.wrong.push(...found);
    if (reply.status !== 303 || !reply.location?.startsWith('/')) return;
    const next = await browser.get(reply.location);
    if (next.status !== 200) this.wrong.push(`${where}: leads to ${next.status}`);
    if (/<strong>Done\.<\/strong>/.test(next.text)) this.wrong.push(`${where}: says only Done`);
    this.wrong.push(...faultsOf(next).map((fault) => `${where}: leads to a page that ${fault}`));
  }
}

type Chosen = readonly [says: string, fields: Readonly<Record<string, readonly string[]>>];

const AS_IT_STANDS: Chosen = ['', {}];

/** Each choice of each list once, and each button; at first what is chosen as it stands. */
const choicesOf = ({ choices, buttons }: Form): Chosen[] => [
  AS_IT_STANDS,
  ...Object.entries(choices).flatMap(([name, values]) =>
    values.map((value): Chosen => [`, ${name}=${value}`, { [name]: [value] }]),
  ),
  ...buttons.map(([name, value]): Chosen => [`, ${name}=${value}`, { [name]: [value] }]),
];
