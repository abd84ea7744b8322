/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Shows the copy buttons, and lets each say so when it has copied. */
export function copyButtons(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy][hidden]')) {
    button.hidden = false;
  }
}

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('button[data-copy]');
  if (button) void copy(button);
});

async function copy(button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(button.dataset.copy!);
  const status = document.querySelector('#status');
  if (status) status.textContent = 'Copied.';
  const label = button.textContent;
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = label), 2_000);
}
