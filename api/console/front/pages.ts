import type { Page } from '../page.ts';
import { connect } from './connect.tsx';
import { front } from './home.tsx';
import { receipt } from './receipt.tsx';
import { MANUAL_PAGES } from '../manual/pages.tsx';

/** Pages for everybody. */
export const FRONT_PAGES: readonly Page[] = [front, connect, receipt, ...MANUAL_PAGES];
