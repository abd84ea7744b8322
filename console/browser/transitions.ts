/// <reference lib="dom" />

/** What TypeScript's list of a browser's parts does not have yet. */
interface WithTransition {
  readonly viewTransition?: ViewTransition | null;
  readonly activeViewTransition?: ViewTransition | null;
}

/**
 * A transition to the next page is left out where a page is hidden, is too slow or is left at once:
 * the page is there all the same. Browsers report that as an error of the page unless somebody
 * takes it (https://github.com/w3c/csswg-drafts/issues/13726).
 */
export function leaveOutTransitions(): void {
  const take = ({ viewTransition, activeViewTransition }: WithTransition) => {
    const transition = viewTransition ?? activeViewTransition;
    transition?.ready.catch(() => undefined);
    transition?.finished.catch(() => undefined);
  };
  window.addEventListener('pageswap', take);
  window.addEventListener('pagereveal', take);
  take(document as WithTransition); // One that began before this was loaded.
}
