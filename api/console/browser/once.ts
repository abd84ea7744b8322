/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Time in which a second click belongs to the first one. */
const CLICK_MS = 1_000;

/** Sends a form once for a double click: the browser would show the answer of the second only. */
export function sendOnce(): void {
  const sent = new WeakSet<EventTarget>();
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form) return;
    if (sent.has(form)) return event.preventDefault();
    sent.add(form);
    setTimeout(() => sent.delete(form), CLICK_MS);
  });
}

/** Keys of the forms that were sent from a page, in the history of its tab. */
interface Sent {
  readonly sentKeys?: Readonly<Record<string, string>>;
}

const keyOf = (form: HTMLFormElement) =>
  form.querySelector<HTMLInputElement>('input[name="_key"]') ?? undefined;

/** Names a form by where it goes and what it sends, whatever is typed. */
function nameOf(form: HTMLFormElement): string {
  const hidden = [...form.querySelectorAll<HTMLInputElement>('input[type="hidden"]')];
  const sent = hidden.filter(({ name }) => name !== '_key').map(({ name, value }) => [name, value]);
  return JSON.stringify([form.getAttribute('action'), sent]);
}

/**
 * Gives forms that were sent the same key again when somebody comes back to their page: what was
 * done is not done twice. A reload gives new keys.
 */
export function keepKeys(): void {
  const [navigation] = performance.getEntriesByType('navigation');
  const isBack = (navigation as PerformanceNavigationTiming | undefined)?.type === 'back_forward';
  const { sentKeys = {} } = ((isBack && history.state) || {}) as Sent;
  for (const form of document.forms) {
    const [key, sent] = [keyOf(form), sentKeys[nameOf(form)]];
    if (key && sent) key.value = sent;
  }
  document.addEventListener('submit', ({ target, defaultPrevented }) => {
    const key = !defaultPrevented && target instanceof HTMLFormElement ? keyOf(target) : undefined;
    if (!key) return;
    const before = (history.state as Sent | null)?.sentKeys;
    const keys = { ...before, [nameOf(target as HTMLFormElement)]: key.value };
    history.replaceState({ ...history.state, sentKeys: keys }, '');
  });
}
