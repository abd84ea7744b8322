/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { chooseLabel, drawBoxes } from './boxes.ts';
import { markedWords, say, writeLine } from './marks.ts';

const FORM = 'main form[action$="/deliver_labor_task"]';

/**
 * Keys on the page of a unit: a number chooses, and Enter delivers, Ctrl+Enter from a text too. No
 * number sends anything, and a key that is held delivers one unit.
 */
export function answerKeys(): void {
  const form = document.querySelector<HTMLFormElement>(FORM);
  countDown();
  if (!form) return;
  drawBoxes(form);
  for (const button of form.querySelectorAll<HTMLElement>('[data-mark]')) {
    button.addEventListener('click', () => mark(form, button));
  }
  form.addEventListener('change', ({ target }) => leaveOne(form, target));
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]'))
      return;
    if (isHeld(event)) return event.preventDefault();
    const isHandled = event.key === 'Enter' ? deliver(form, event) : choose(form, event);
    if (isHandled) event.preventDefault();
  });
}

/** Whether a key that delivers was pressed before this page was there, or is pressed for long. */
const isHeld = ({ key, repeat, target, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key === 'Enter' && repeat && (ctrlKey || metaKey || !(target instanceof HTMLTextAreaElement));

/** Leaves either the choice of nothing, or the others. */
function leaveOne(form: HTMLFormElement, target: EventTarget | null): void {
  if (!(target instanceof HTMLInputElement) || !target.checked) return;
  const isNone = target.name === '_none';
  for (const other of form.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')) {
    if (isNone !== (other.name === '_none')) other.checked = false;
  }
}

function deliver(form: HTMLFormElement, { target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  const isForced = ctrlKey || metaKey;
  const isOther = target instanceof Element && target.closest('a, button, textarea, summary');
  const isElsewhere = target instanceof HTMLInputElement && target.form !== form;
  if (isElsewhere || (isOther && !(isForced && form.contains(target)))) return false;
  form.requestSubmit();
  return true;
}

function choose(form: HTMLFormElement, event: KeyboardEvent): boolean {
  const { target, key, ctrlKey, altKey, metaKey } = event;
  const isTyping =
    target instanceof HTMLElement && target.matches('textarea, select, input:not([data-number])');
  if (document.documentElement.dataset.shortcuts === 'off' || !/^\d$/.test(key)) return false;
  if (isTyping || ctrlKey || altKey || metaKey) return false;
  const choice = form.querySelector<HTMLElement>(`[data-number="${key}"]`);
  choice?.click();
  if (choice instanceof HTMLInputElement) choice.focus();
  return choice !== null;
}

/** Writes a line for the words that are selected in the text, or chooses the label of a box. */
function mark(form: HTMLFormElement, button: HTMLElement): void {
  if (!form.querySelector('[data-marks="spans"]')) return chooseLabel(form, button);
  const words = markedWords();
  say(form, words === undefined ? 'Select words in the text first, then choose their label.' : '');
  if (words !== undefined) writeLine(form, `${button.dataset.mark}: ${words}`);
}

/** Counts down the time that is left of a lease. */
function countDown(): void {
  const left = document.querySelector<HTMLElement>('[data-left]');
  if (!left) return;
  const ends = performance.now() + Number(left.dataset.left) * 1_000;
  const show = () => {
    const seconds = Math.max(0, Math.round((ends - performance.now()) / 1_000));
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) left.textContent = `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
  };
  show();
  setInterval(show, 1_000);
}
