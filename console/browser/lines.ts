/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Says below a field of one thing a line how many there are, and which stand there twice. */
function count(field: HTMLTextAreaElement): void {
  const note = document.getElementById(`${field.id}-lines`);
  if (!note) return;
  const lines = field.value
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const twice = [...new Set(lines.filter((line, n) => lines.indexOf(line) < n))];
  const counted = lines.length === 1 ? '1 line' : `${lines.length} lines`;
  const named = twice.slice(0, 3).join(', ') + (twice.length > 3 ? ', …' : '');
  note.textContent = twice.length === 0 ? counted : `${counted}; more than once: ${named}`;
}

export function countLines(): void {
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLTextAreaElement && target.dataset.lines !== undefined) count(target);
  });
}
