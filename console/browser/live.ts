/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { Idiomorph } from 'idiomorph';

/** TypeScript's library does not know it yet; browsers without it take text as it is. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string },
  ): {
    createHTML(text: string): string;
  };
}
const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
// Only our own pages, which were escaped where they were made, are parsed, and none is run.
const policy = types?.createPolicy('console', { createHTML: (text) => text });

/** Watches for events while the page can be seen, and changes it in place where one concerns it. */
export function watch(dress: (root: ParentNode) => void): void {
  const { events, live = '', path } = document.documentElement.dataset;
  if (events === undefined || path === undefined) return;
  const kinds = live.split(' ').filter(Boolean);
  let source: EventSource | undefined;
  const indicator = () => document.querySelector('.live');

  function look(): void {
    const isSeen = document.visibilityState === 'visible';
    if (isSeen && !source) {
      source = new EventSource(events!);
      source.addEventListener('open', () => indicator()?.removeAttribute('hidden'));
      source.addEventListener('error', () => indicator()?.setAttribute('hidden', ''));
      source.addEventListener('changed', ({ data }: MessageEvent<string>) => {
        const changed = data.split(' ');
        if (changed.some((kind) => kinds.includes(kind))) void redraw(path!, dress);
      });
    } else if (!isSeen && source) {
      source.close();
      source = undefined;
    }
  }
  document.addEventListener('visibilitychange', look);
  look();
}

async function redraw(path: string, dress: (root: ParentNode) => void): Promise<void> {
  const answer = await fetch(path, { headers: { Accept: 'text/html', 'X-Redraw': '1' } });
  if (!answer.ok || answer.redirected) return;
  const text = await answer.text();
  const html = policy ? policy.createHTML(text) : text;
  const next = new DOMParser().parseFromString(html, 'text/html');
  const [main, fresh] = [document.querySelector('main'), next.querySelector('main')];
  if (!main || !fresh) return;
  if (typedIn(main).some((form) => !has(fresh, form))) {
    const status = document.querySelector('#status');
    if (status) status.textContent = 'This page has changed. Load it again to see it.';
    document.documentElement.dataset.stale = '';
    return;
  }
  await Idiomorph.morph(main, fresh, {
    ignoreActiveValue: true,
    callbacks: {
      // What a person has opened, typed or chosen stays.
      beforeAttributeUpdated: (name: string, node: Element) => {
        if (name === 'open') return false;
        // Hidden fields say what a form is about: they change with the words beside it.
        if (node instanceof HTMLInputElement && node.type !== 'hidden') {
          return name !== 'value' && name !== 'checked';
        }
        return name !== 'title' || node.tagName !== 'TIME';
      },
      beforeNodeMorphed: (node: Node) => !(node instanceof HTMLTextAreaElement),
    },
  });
  dress(document);
  document.documentElement.dataset.drawn = new Date().toISOString();
}

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

/** Whether a form about the same is there: words typed about one thing never come to another. */
const has = (root: ParentNode, form: HTMLFormElement): boolean =>
  [...root.querySelectorAll('form')].some((other) => aboutOf(other) === aboutOf(form));

const aboutOf = (form: HTMLFormElement): string =>
  [...form.querySelectorAll<HTMLInputElement>('input[type=hidden]')]
    .filter(({ name }) => name !== '_key' && name !== '_back')
    .map(({ name, value }) => `${name}=${value}`)
    .concat(form.action)
    .join(' ');
