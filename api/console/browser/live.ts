/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { Idiomorph } from 'idiomorph';

/** Trusted Types, which TypeScript's library lacks; browsers without them take plain text. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string },
  ): {
    createHTML(text: string): string;
  };
}
const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
// Only our own pages are parsed, which were escaped when rendered, and no script in them runs.
const policy = types?.createPolicy('console', { createHTML: (text) => text });

/** Delay after which a page that could not be redrawn is fetched again; up to twice as long. */
const AGAIN_MS = 5_000;

/** Watches for events while the page is visible, and updates the page if one concerns it. */
export function watch(dress: (root: ParentNode) => void): void {
  const { events, path } = document.documentElement.dataset;
  if (events === undefined || path === undefined) return;
  const draw = oneAtATime((mark) => redraw(path, mark, dress));
  let source: EventSource | undefined;
  let isBack = false;
  const indicator = () => document.querySelector('.live');

  function look(): void {
    const isSeen = document.visibilityState === 'visible';
    if (isSeen && !source) {
      source = new EventSource(events!);
      source.addEventListener('open', () => {
        indicator()?.removeAttribute('hidden');
        // It was not notified while it was hidden.
        if (isBack) draw('back');
        isBack = true;
      });
      source.addEventListener('error', () => indicator()?.setAttribute('hidden', ''));
      source.addEventListener('changed', ({ lastEventId }: MessageEvent<string>) => {
        draw(lastEventId);
      });
    } else if (!isSeen && source) {
      source.close();
      source = undefined;
    }
  }
  document.addEventListener('visibilitychange', look);
  look();
}

/** Runs `act` one at a time; calls meanwhile cause one more run, for the latest of them. */
function oneAtATime(act: (mark: string) => Promise<boolean>): (mark: string) => void {
  let isBusy = false;
  let next: string | undefined;
  async function run(): Promise<void> {
    isBusy = true;
    try {
      while (next !== undefined) {
        const mark = next;
        next = undefined;
        if (await act(mark)) continue;
        await new Promise((end) => setTimeout(end, AGAIN_MS * (1 + Math.random())));
        next ??= mark;
      }
    } finally {
      isBusy = false;
    }
  }
  return (mark) => {
    next = mark;
    if (!isBusy) void run();
  };
}

/** False: it could not be drawn, and may be later. `mark`: the look that found the change. */
async function redraw(
  path: string,
  mark: string,
  dress: (root: ParentNode) => void,
): Promise<boolean> {
  const headers = { Accept: 'text/html', 'X-Redraw': mark };
  const answer = await fetch(path, { headers }).catch(() => undefined);
  if (!answer) return false;
  if (!answer.ok || answer.redirected) return answer.status < 429;
  const text = await answer.text();
  const html = policy ? policy.createHTML(text) : text;
  const next = new DOMParser().parseFromString(html, 'text/html');
  const [main, fresh] = [document.querySelector('main'), next.querySelector('main')];
  if (!main || !fresh) return true;
  // Forms come with new keys, so an open question would be gone.
  if (document.querySelector('dialog[open]')) return false;
  if (typedIn(main).some((form) => !has(fresh, form))) {
    const status = document.querySelector('#status');
    if (status) status.textContent = 'This page has changed. Load it again to see it.';
    document.documentElement.dataset.stale = '';
    return true;
  }
  await Idiomorph.morph(main, fresh, {
    ignoreActiveValue: true,
    callbacks: {
      // Whatever a person has opened, typed or chosen stays.
      beforeAttributeUpdated: (name: string, node: Element) => {
        if (name === 'open' || name === 'selected') return false;
        // Hidden fields say what a form is about: they change with the words beside them.
        if (node instanceof HTMLInputElement && node.type !== 'hidden') {
          return name !== 'value' && name !== 'checked';
        }
        return name !== 'title' || node.tagName !== 'TIME';
      },
      beforeNodeMorphed: (node: Node) => !(node instanceof HTMLTextAreaElement) && !isOnce(node),
    },
  });
  dress(document);
  document.documentElement.dataset.drawn = new Date().toISOString();
  return true;
}

/** An element shown once, such as a new key or an opened vault: the fetched page has none. */
const isOnce = (node: Node) => node instanceof Element && node.matches('.once');

/** The forms in which a person has typed or chosen something. */
const typedIn = (root: ParentNode): HTMLFormElement[] =>
  [...root.querySelectorAll('form')].filter((form) =>
    [...form.elements].some((field) => {
      if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
      if (field instanceof HTMLSelectElement) {
        const first = [...field.options].findIndex(({ defaultSelected }) => defaultSelected);
        return field.selectedIndex !== Math.max(first, 0);
      }
      if (!(field instanceof HTMLInputElement) || field.type === 'hidden') return false;
      return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
    }),
  );

/** Whether the root has a form about the same object: typed words must not move to another. */
const has = (root: ParentNode, form: HTMLFormElement): boolean =>
  [...root.querySelectorAll('form')].some((other) => aboutOf(other) === aboutOf(form));

const aboutOf = (form: HTMLFormElement): string =>
  [...form.querySelectorAll<HTMLInputElement>('input[type=hidden]')]
    .filter(({ name }) => name !== '_key' && name !== '_back')
    .map(({ name, value }) => `${name}=${value}`)
    .concat(form.action)
    .join(' ');
