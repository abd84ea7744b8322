import type { Page } from '../page.ts';
import { decisions } from './decisions/decisions.tsx';
import { find } from './find.tsx';
import { job } from './job.tsx';
import { log } from './log.tsx';
import { machine } from './machine/machine.tsx';
import { money } from './money.tsx';
import { overview } from './overview.tsx';
import { rails } from './rails.tsx';
import { reviews } from './reviews.tsx';
import { start } from './start.tsx';
import { work } from './work.tsx';

/** Pages for operators, in the order of their navigation. */
export const OPERATOR_PAGES: readonly Page[] = [
  overview,
  money,
  decisions,
  work,
  machine,
  find,
  rails,
  reviews,
  log,
  job,
  start,
];
