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
