import { readFile } from 'node:fs/promises';

import { documentRoute } from '../../docs/document.ts';
import type { Route } from '../../http/routes.ts';
import { CATEGORIES } from '../../../shared/domains/products/products.ts';

/** The folder of the pictures, in the working folder of the program. */
const FOLDER = 'docs/pictures/share';
const DAY_SECONDS = 86_400;

/** Pictures that links show where they are shared: one for each category, and one for the rest. */
export const SHARE_PICTURES = ['market', ...CATEGORIES] as const;
export type SharePicture = (typeof SHARE_PICTURES)[number];

export const SHARE_SIZE = { width: 1200, height: 630 };

export const pathOfPicture = (name: SharePicture): string => `/pictures/${name}.png`;

/** `GET /pictures/<name>.png`, for the programs that show what a link leads to. */
export const sharePictureRoutes = (): Route[] =>
  SHARE_PICTURES.map((name) =>
    documentRoute(pathOfPicture(name), {
      type: 'image/png',
      read: () => readFile(`${FOLDER}/${name}.png`),
      headers: {
        'Cache-Control': `public, max-age=${DAY_SECONDS}`,
        // Pages of others may show it.
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
    }),
  );
