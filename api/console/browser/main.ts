/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { answerKeys } from './answers.ts';
import { askOnPages } from './ask.ts';
import { copyButtons } from './copy.ts';
import { shortcuts } from './keys.ts';
import { countLines } from './lines.ts';
import { watch } from './live.ts';
import { keepKeys, sendOnce } from './once.ts';
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
const first = document.querySelector<HTMLElement>('[data-focus="first"]');
(first ?? document.querySelector<HTMLElement>('[data-focus]'))?.focus();
answerKeys();
shortcuts();
countLines();
sendOnce();
keepKeys();
watch(dress);
