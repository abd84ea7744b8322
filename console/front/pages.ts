import type { Page } from '../page.ts';

/** For anybody. */
export const FRONT_PAGES: readonly Page[] = [];
