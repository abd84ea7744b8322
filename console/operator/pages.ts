import type { Page } from '../page.ts';

/** Of operators, in the order of their navigation. */
export const OPERATOR_PAGES: readonly Page[] = [];
