/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/**
 * The words that are selected in the text of the unit, with their place in characters. Undefined:
 * none are, or the text is not shown as it is.
 */
export function markedWords(): string | undefined {
  const text = document.querySelector('#payload');
  const selection = getSelection();
  if (!text || !selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const payload = document.querySelector<HTMLInputElement>('input[name="_payload"]')?.value;
  if (!text.contains(range.commonAncestorContainer) || text.textContent !== payload) {
    return undefined;
  }
  const before = document.createRange();
  before.selectNodeContents(text);
  before.setEnd(range.startContainer, range.startOffset);
  const selected = range.toString();
  const words = selected.trim();
  const spaces = selected.length - selected.trimStart().length;
  const start = Array.from(before.toString() + selected.slice(0, spaces)).length;
  selection.removeAllRanges();
  return words === '' ? undefined : `${words} @${start}`;
}

/** Adds a line to the answer. */
export function writeLine(form: HTMLFormElement, line: string): void {
  const lines = form.querySelector<HTMLTextAreaElement>('textarea[name="_lines"]');
  if (!lines) return;
  const before = lines.value.trimEnd();
  lines.value = `${before}${before && '\n'}${line}\n`;
  lines.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Lets boxes be drawn in the picture of the unit, and shows those of the answer. */
export function drawBoxes(form: HTMLFormElement): void {
  const picture = document.querySelector<HTMLElement>('[data-picture]');
  const lines = form.querySelector<HTMLTextAreaElement>('textarea[name="_lines"]');
  if (!picture || !lines || !form.querySelector('[data-marks="boxes"]')) return;
  const svg = picture.querySelector('svg')!;
  let from: { x: number; y: number } | undefined;
  const at = ({ clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = svg.getBoundingClientRect();
    const part = (value: number) => Math.min(100, Math.max(0, Math.round(value * 1_000) / 10));
    return { x: part((clientX - left) / width), y: part((clientY - top) / height) };
  };
  const show = () => {
    const found = lines.value.split('\n').flatMap((line) => {
      const numbers = line.split(':').at(-1)!.trim().split(/\s+/).map(Number);
      return numbers.length === 4 && numbers.every(Number.isFinite) ? [numbers] : [];
    });
    svg.replaceChildren(...found.map(rectangle));
  };
  lines.addEventListener('input', show);
  show();
  picture.addEventListener('pointerdown', (event) => {
    from = at(event);
    picture.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  picture.addEventListener('pointerup', (event) => {
    const [start, to] = [from, at(event)];
    from = undefined;
    if (!start) return;
    const [x, y] = [Math.min(start.x, to.x), Math.min(start.y, to.y)];
    const [width, height] = [Math.abs(to.x - start.x), Math.abs(to.y - start.y)].map(
      (size) => Math.round(size * 10) / 10,
    );
    const chosen =
      form.querySelector<HTMLElement>('[data-mark][aria-pressed="true"]') ??
      form.querySelector<HTMLElement>('[data-mark]');
    if (width && height && chosen) {
      writeLine(form, `${chosen.dataset.mark}: ${x} ${y} ${width} ${height}`);
    }
  });
}

function rectangle([x, y, width, height]: readonly number[]): SVGElement {
  const box = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of Object.entries({ x, y, width, height })) {
    box.setAttribute(name, String(value));
  }
  return box;
}
