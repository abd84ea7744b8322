/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Shows below a field with one item per line how many there are, and which are duplicates. */
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
