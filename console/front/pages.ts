import type { Page } from '../page.ts';
import { front } from './home.tsx';
import { MANUAL_PAGES } from './manual.tsx';

/** For anybody. */
export const FRONT_PAGES: readonly Page[] = [front, ...MANUAL_PAGES];
