/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const short = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/**
 * Shows times in the zone of the reader, with the server's text as the title; or as the server
 * wrote them, if the account says so.
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
