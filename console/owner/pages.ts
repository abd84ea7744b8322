import type { Page } from '../page.ts';
import { home } from './home.tsx';
import { job } from './job.tsx';

/** Of owners, in the order of their navigation. */
export const OWNER_PAGES: readonly Page[] = [home, job];
