import type { KoaContextWithOIDC } from 'oidc-provider';

import { overPage } from '../console/apps/consent_page.tsx';
import { loadAssets } from '../console/assets.ts';
import type { Page } from '../console/page.ts';
import { sendPage } from '../console/render.tsx';
import { refusedOf } from '../console/show_again.ts';
import type { Invoke } from '../../shared/kernel/call.ts';
import type { Context } from '../../shared/composition/context.ts';
import type { Refusal } from '../../shared/kernel/refusal.ts';
import type { HttpContext } from '../http/routes.ts';
import { currentRequest } from './requests.ts';

/** Shows pages of the console to people who are not signed in there. */
export interface Pages {
  /** Shows a page, with the refusal first, if there is one. */
  readonly show: (
    ctx: HttpContext,
    page: Page,
    answers: object,
    refusal?: Refusal,
  ) => Promise<void>;
  readonly showProblem: (ctx: KoaContextWithOIDC, problem: string) => Promise<void>;
}

export function openPages(context: Context, invoke: Invoke): Pages {
  const console = { context, invoke, pages: [] };

  async function show(ctx: HttpContext, page: Page, answers: object, refusal?: Refusal) {
    await loadAssets();
    const refused = refusal && {
      operation: '',
      message: messageOf(refusal),
      code: refusal.code,
      isUnknown: false,
      fields: {},
      given: {},
      links: [],
    };
    const asked = { params: {}, query: {} };
    const request = { page, asked, url: page.path, session: undefined, refused };
    sendPage(console, ctx, request, { ...answers }, refusal?.status ?? 200);
  }

  return {
    show,
    async showProblem(ctx, problem) {
      const { status } = ctx;
      Object.assign(ctx.state, currentRequest());
      await show(ctx as unknown as HttpContext, overPage, { problem });
      ctx.status = status;
    },
  };
}

/** The refusal in words for people: of fields that the page has, what is wrong with them. */
const messageOf = (refusal: Refusal): string =>
  Object.values(refusedOf('', {}, refusal)?.fields ?? {}).join(' ') || refusal.message;
