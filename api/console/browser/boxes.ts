/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { say, writeLine } from './marks.ts';

type Numbers = readonly number[];

/** A box that was drawn before its label was chosen. */
let waiting: Numbers | undefined;
/** Shows the boxes of the answer, and the one that waits. */
let show = () => {};

/** Lets boxes be drawn in the picture of the unit, and shows those of the answer. */
export function drawBoxes(form: HTMLFormElement): void {
  const picture = document.querySelector<HTMLElement>('[data-picture]');
  const lines = form.querySelector<HTMLTextAreaElement>('textarea[name="_lines"]');
  if (!picture || !lines || !form.querySelector('[data-marks="boxes"]')) return;
  const svg = picture.querySelector('svg')!;
  show = () => {
    const found = lines.value.split('\n').flatMap((line) => {
      const numbers = line.split(':').at(-1)!.trim().split(/\s+/).map(Number);
      return numbers.length === 4 && numbers.every(Number.isFinite) ? [numbers] : [];
    });
    svg.replaceChildren(...[...found, ...(waiting ? [waiting] : [])].map(rectangle));
  };
  lines.addEventListener('input', show);
  show();
  onDrawn(picture, (numbers) => {
    const label = chosenIn(form)?.dataset.mark;
    if (label === undefined) {
      waiting = numbers;
      show();
      say(form, 'Choose the label of this box.');
    } else write(form, label, numbers);
  });
  form.addEventListener('submit', (event) => {
    if (!waiting) return;
    event.preventDefault();
    say(form, 'Nothing was delivered: choose the label of the last box first.');
  });
}

/** Chooses a label: that of the box that was drawn last, if it has none, or of the next ones. */
export function chooseLabel(form: HTMLFormElement, button: HTMLElement): void {
  if (waiting) {
    const numbers = waiting;
    waiting = undefined;
    write(form, button.dataset.mark!, numbers);
    return;
  }
  for (const other of form.querySelectorAll('[data-mark]')) {
    other.setAttribute('aria-pressed', String(other === button));
  }
  const hasPicture = document.querySelector('[data-picture]');
  say(form, hasPicture ? '' : 'Show the picture to draw a box in it, or write its line.');
}

function write(form: HTMLFormElement, label: string, numbers: Numbers): void {
  writeLine(form, `${label}: ${numbers.join(' ')}`);
  say(form, '');
}

/** The label that was chosen, or the only one. */
function chosenIn(form: HTMLFormElement): HTMLElement | undefined {
  const buttons = [...form.querySelectorAll<HTMLElement>('[data-mark]')];
  const pressed = buttons.find((button) => button.ariaPressed === 'true');
  return pressed ?? (buttons.length === 1 ? buttons[0] : undefined);
}

function onDrawn(picture: HTMLElement, act: (numbers: Numbers) => void): void {
  let from: { x: number; y: number } | undefined;
  const at = ({ clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = picture.getBoundingClientRect();
    const part = (value: number) => Math.min(100, Math.max(0, Math.round(value * 1_000) / 10));
    return { x: part((clientX - left) / width), y: part((clientY - top) / height) };
  };
  picture.addEventListener('pointerdown', (event) => {
    from = at(event);
    picture.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  picture.addEventListener('pointerup', (event) => {
    const [start, to] = [from, at(event)];
    from = undefined;
    if (!start) return;
    const size = (one: number, other: number) => Math.round(Math.abs(one - other) * 10) / 10;
    const [width, height] = [size(start.x, to.x), size(start.y, to.y)];
    if (width && height) act([Math.min(start.x, to.x), Math.min(start.y, to.y), width, height]);
  });
}

function rectangle([x, y, width, height]: Numbers): SVGElement {
  const box = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of Object.entries({ x, y, width, height })) {
    box.setAttribute(name, String(value));
  }
  return box;
}
