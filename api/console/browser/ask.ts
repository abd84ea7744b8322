/// <reference lib="dom" />

/** Makes forms ask on a page of its own in browsers that cannot open a dialog by an attribute. */
export function askOnPages(): void {
  if ('commandForElement' in HTMLButtonElement.prototype) return;
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('button[data-ask]');
    if (!button?.form) return;
    const asked = document.createElement('input');
    asked.type = 'hidden';
    asked.name = '_ask';
    asked.value = button.dataset.ask!;
    button.form.append(asked);
    button.form.submit();
  });
}
