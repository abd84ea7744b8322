import type { Page } from '../page.ts';

/** Descriptions of the single keys of browser/keys.ts. */
const EVERYWHERE = [
  ['/', 'Find'],
  ['j, k', 'Next row, previous row'],
  ['?', 'This list'],
] as const;
const OF_OWNERS = [
  ['a, d', 'In To do: first or second button of the row'],
  ['1 … 0, Enter', 'On a unit of labor: choose, deliver'],
  ['a, r', 'On deliveries to judge: accept, reject'],
  ['Ctrl+Enter', 'Deliver, or reject, from a text'],
] as const;
const OF_OPERATORS = [
  ['r, b, s', 'In a dispute: release, refund, split'],
  ['a, r, s', 'In a review: approve, reject, suspend'],
  ['Ctrl+Enter', 'Decide'],
] as const;

/** The list of keys, which `?` opens. */
export function Keys({ nav, isOperator }: { nav: readonly Page[]; isOperator: boolean }) {
  const pages = nav.flatMap(({ nav: place, title }) =>
    place?.key ? [[`g ${place.key}`, title] as const] : [],
  );
  return (
    <dialog id="key-list" aria-labelledby="key-list-title">
      <h2 id="key-list-title">Keys</h2>
      <dl class="pairs keys">
        {[...EVERYWHERE, ...(isOperator ? OF_OPERATORS : OF_OWNERS), ...pages].map(
          ([key, does]) => (
            <>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </>
          ),
        )}
      </dl>
      {!isOperator && <p class="small dim">Account turns single keys off.</p>}
      <form method="dialog" class="buttons">
        <button class="button">Close</button>
      </form>
    </dialog>
  );
}

export const KeysButton = () => (
  <button type="button" class="link" {...{ commandfor: 'key-list', command: 'show-modal' }}>
    Keyboard
  </button>
);
