/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Choices of a decision, by the key that selects them. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  r: ['release', 'reject'],
  b: ['refund'],
  s: ['split', 'suspend'],
  a: ['approve', 'accept'],
};
const ROWS = 'main .todo > li, main .rows > li, main tbody tr';
const FOCUSABLE = 'a[href], button:not([hidden])';

let isGoing = false;

/**
 * Single-key shortcuts, unless the person has turned them off: `/` finds, `g` and a letter goes to
 * a page, `j` and `k` move through rows, `?` lists the keys. No single key sends anything;
 * Ctrl+Enter presses the first button of a decision's form.
 */
export function shortcuts(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (event.key === 'Enter' && event.ctrlKey) decide(event);
    else if (!event.ctrlKey && !event.altKey && !event.metaKey) single(event);
  });
}

function single(event: KeyboardEvent): void {
  if (document.documentElement.dataset.shortcuts === 'off' || isTyping(event.target)) return;
  const wasGoing = isGoing;
  isGoing = false;
  // A dialog has nothing to find or to go to.
  if (document.querySelector('dialog[open]')) return;
  const { key } = event;
  if (wasGoing) {
    const link = document.querySelector<HTMLElement>(`nav a[data-key="${CSS.escape(key)}"]`);
    link?.click();
  } else if (key === 'g') isGoing = true;
  else if (key === '/') document.querySelector<HTMLElement>('[data-find]')?.focus();
  else if (key === '?') document.querySelector<HTMLDialogElement>('#key-list')?.showModal();
  else if (key === 'j' || key === 'k') step(key === 'j' ? 1 : -1);
  else if (!choose(key)) return;
  event.preventDefault();
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select'));

/** Focuses the first link or button of the next row that has one. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll(ROWS)].filter((row) => row.querySelector(FOCUSABLE));
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = at < 0 ? rows[by === 1 ? 0 : rows.length - 1] : rows[at + by];
  const focused = next?.querySelector<HTMLElement>(FOCUSABLE);
  focused?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Selects a choice of a decision, or focuses a row's button, which Enter then presses. */
function choose(key: string): boolean {
  const names = CHOICES[key];
  const select = document.querySelector<HTMLSelectElement>('main select[data-choice]');
  if (names && select) {
    const option = [...select.options].find(({ value }) => names.includes(value));
    if (!option) return false;
    select.value = option.value;
    select.focus();
    return true;
  }
  if (judge(key)) return true;
  const row = document.activeElement?.closest('main .todo > li');
  const buttons = row?.querySelectorAll<HTMLElement>('.buttons .button:not(dialog .button)');
  const button = key === 'a' ? buttons?.[0] : key === 'd' ? buttons?.[1] : undefined;
  button?.focus();
  return button !== undefined;
}

/** In a list of deliveries to judge: focuses the button that accepts, or the reason to reject. */
function judge(key: string): boolean {
  const list = document.querySelector('main [data-judge]');
  const row = document.activeElement?.closest('[data-judge] > li') ?? list?.querySelector('li');
  if (key === 'a') {
    const button = row?.querySelector<HTMLElement>('[data-accept] button');
    button?.focus();
    return Boolean(button);
  }
  const reject = row?.querySelector<HTMLDetailsElement>('details[data-reject]');
  if (key !== 'r' || !reject) return false;
  reject.open = true;
  reject.querySelector('textarea')?.focus();
  return true;
}

function decide(event: KeyboardEvent): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLTextAreaElement && activeElement.closest('[data-reject]')) {
    event.preventDefault();
    activeElement.form?.requestSubmit();
    return;
  }
  const form = document.querySelector('main select[data-choice]')?.closest('form');
  if (!form) return;
  event.preventDefault();
  const dialog = form.querySelector<HTMLDialogElement>('dialog[open]');
  (dialog ?? form).querySelector<HTMLButtonElement>('button.main, button[command]')?.click();
}
