import type { Page } from '../page.ts';
import { front } from './home.tsx';

/** For anybody. */
export const FRONT_PAGES: readonly Page[] = [front];
