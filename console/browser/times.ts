/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const short = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/**
 * Times in the zone of their reader, with what the server said as the title; as the server said
 * them where the account chose that.
 */
export function localTimes(root: ParentNode): void {
  if (document.documentElement.dataset.times === 'utc') return;
  for (const time of root.querySelectorAll('time:not([title])')) {
    const at = new Date(time.getAttribute('datetime') ?? '');
    if (Number.isNaN(at.getTime())) continue;
    time.setAttribute('title', `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`);
    time.textContent = (time.hasAttribute('data-short') ? short : long).format(at);
  }
}
