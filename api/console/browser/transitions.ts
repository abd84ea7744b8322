/// <reference lib="dom" />

/** Parts of the DOM that TypeScript's library lacks. */
interface TransitionDocument {
  readonly viewTransition?: ViewTransition | null;
  readonly activeViewTransition?: ViewTransition | null;
}

/**
 * A browser skips the transition to the next page if a page is hidden, slow or left at once; the
 * page loads all the same. Browsers report that as an error of the page unless it is caught
 * (https://github.com/w3c/csswg-drafts/issues/13726).
 */
export function leaveOutTransitions(): void {
  const take = ({ viewTransition, activeViewTransition }: TransitionDocument) => {
    const transition = viewTransition ?? activeViewTransition;
    transition?.ready.catch(() => undefined);
    transition?.finished.catch(() => undefined);
  };
  window.addEventListener('pageswap', take);
  window.addEventListener('pagereveal', take);
  take(document as TransitionDocument); // A transition may have begun before this script.
}
