/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { askOnPages } from './ask.ts';
import { copyButtons } from './copy.ts';
import { shortcuts } from './keys.ts';
import { countLines } from './lines.ts';
import { watch } from './live.ts';
import { localTimes } from './times.ts';
import { leaveOutTransitions } from './transitions.ts';

/** Everything that runs in the browser. The same pages work without it. */
function dress(root: ParentNode): void {
  localTimes(root);
  copyButtons(root);
}

leaveOutTransitions();
dress(document);
askOnPages();
document.querySelector<HTMLElement>('[data-focus]')?.focus();
shortcuts();
countLines();
watch(dress);
