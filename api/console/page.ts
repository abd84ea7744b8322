/*
 * A page is data, as an operation is. How to add one:
 *
 * 1. Write it in a file of its own, in `owner/` (`/console…`), `operator/` (`/admin…`) or `front/`
 *    (for anybody): `export const orders = page({ … })`. Add it to `pages.ts` of that folder.
 * 2. `reads` names the operations whose answers it shows, and `cards` those without which it is
 *    still worth something: where one is refused, the view gets null for it. Every number on a page
 *    is an operation's answer: a page has no other source. They are invoked with the caller of the
 *    web session, through the same checks as REST. Add each to `answers.ts`, for its type.
 * 3. `does` names the operations that its forms change something by. `<Do op="confirm_order"
 *    input={{ order_id: 7 }} label="Release $4.00" />` is such a form (`parts/do.tsx`); `<Fields
 *    op="create_key" />` draws the fields of its schema in it, with the words of `words/`. All of
 *    them are sent to `POST /console/do/:operation`, which invokes it and answers with a redirect
 *    (303) or with this page again, which then says first what was refused, with the fields as they
 *    were filled in.
 * 4. `view` gets the answers by their names and returns TSX. Text is escaped. What others wrote
 *    stands in `<Words>` (`parts/text.tsx`). Amounts are `<Usd>`, times `<When>`, lists `<Table>`,
 *    and each part of a page is a `<Card>`. `useShown()` gives the rest: who is signed in, the
 *    query, what was just done.
 * 5. `live` lists the kinds of events (`order` of `order.created`) after which the page is fetched
 *    again and `<main>` is changed in place; what a person has typed stays.
 * 6. A page for everybody reads without a key what `anonymous.ts` names, and nothing else that
 *    needs one. `head` says what search engines and shared links show of it.
 * 7. `nav` puts it into the navigation. "This page by API" below it is printed from `reads`.
 *
 * No style attributes and no scripts in a page: the policy of its headers forbids them.
 */
import type { VNode } from 'preact';

import type { Access } from '../../shared/kernel/terms/access.ts';
import type { AnswerOf, ReadName } from './answers.ts';
import type { SharePicture } from './front/share_pictures.ts';
import type { IconName } from './parts/icons.tsx';
import type { Query } from './parts/lists/query.ts';

/** Who may see a page: everybody, signed-in owners, or signed-in operators. */
export type PageAccess = Extract<Access, 'public' | 'owner' | 'operator'>;

/** A request for a page, if its path has parameters or it reads its query. */
export interface PageQuery {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The signed-in agent: the root of its tree. Only on pages of owners. */
  readonly agentId?: number | undefined;
}

/** The head of a page that people share and search engines find. */
export interface PageHead {
  /** Absent: the title of the page. */
  readonly title?: string;
  readonly description: string;
  /** The picture that shared links show; absent: that of the market. */
  readonly picture?: SharePicture;
  /** Path under which it is indexed, with its query; undefined: it is not indexed. */
  readonly canonical: string | undefined;
}

type Input = Readonly<Record<string, unknown>>;

/**
 * An operation, with its input if it has one. A function that returns undefined skips the reading,
 * and the view gets null.
 */
export type Reading<N extends ReadName = ReadName> =
  N | readonly [N, Input | ((asked: PageQuery) => Input | undefined)];

type Readings = Readonly<Record<string, Reading>>;

type NameOf<R> = R extends ReadName
  ? R
  : R extends readonly [infer N extends ReadName, unknown]
    ? N
    : never;
type AnswerTo<R> = R extends readonly [unknown, (asked: PageQuery) => infer I]
  ? undefined extends I
    ? AnswerOf<NameOf<R>> | null
    : AnswerOf<NameOf<R>>
  : AnswerOf<NameOf<R>>;
export type Answers<R extends Readings> = { readonly [K in keyof R]: AnswerTo<R[K]> };
type CardAnswers<R extends Readings> = { readonly [K in keyof R]: AnswerTo<R[K]> | null };

export interface Page {
  /** A route, such as `/console/orders/:id`. */
  readonly path: string;
  readonly title: string;
  readonly access: PageAccess;
  /**
   * Its place in the navigation: the heading of the group ('' above all groups), its icon, its
   * label if it is one of the four tabs on phones, and the key that leads there after `g`.
   */
  readonly nav?:
    | {
        readonly group: string;
        readonly icon: IconName;
        readonly tab?: string;
        readonly key?: string;
      }
    | undefined;
  /** Kinds of events that redraw it. */
  readonly live: readonly string[];
  readonly reads: Readings;
  readonly cards: Readings;
  /** Operations that its forms may call to change something. */
  readonly does: readonly string[];
  /** Those of them whose answer the page shows at once, because it is shown once. */
  readonly shows: readonly string[];
  /** Other origins that its forms may lead to. */
  readonly leadsTo: readonly string[];
  /** The host whose pictures this request shows, which then learns who looks. */
  readonly pictures?: ((asked: PageQuery) => string | undefined) | undefined;
  /** An extra script beside that of every page. */
  readonly uses?: 'passkeys' | undefined;
  /** Absent: search engines learn nothing but its title. */
  readonly head?: ((answers: Input, asked: PageQuery) => PageHead) | undefined;
  /**
   * Seconds for which anybody may keep it. Only for a page that is the same for everybody and has
   * no form with a key; absent: it is never kept.
   */
  readonly keptSeconds?: number | undefined;
  /** The answer for a program that asks this path for JSON. Absent: there is none. */
  readonly json?: ((answers: Input, publicUrl: string) => object) | undefined;
  readonly view: (answers: Input, asked: PageQuery) => VNode;
}

interface Definition<R extends Readings, C extends Readings> {
  readonly path: string;
  readonly title: string;
  readonly access: PageAccess;
  readonly nav?: Page['nav'];
  readonly live?: readonly string[];
  readonly reads?: R;
  readonly cards?: C;
  readonly does?: readonly string[];
  readonly shows?: readonly string[];
  readonly leadsTo?: readonly string[];
  readonly pictures?: Page['pictures'];
  readonly uses?: Page['uses'];
  readonly head?: (answers: Answers<R> & CardAnswers<C>, asked: PageQuery) => PageHead;
  readonly keptSeconds?: number;
  readonly json?: (answers: Answers<R> & CardAnswers<C>, publicUrl: string) => object;
  readonly view: (answers: Answers<R> & CardAnswers<C>, asked: PageQuery) => VNode;
}

/** Defines a page, with a view that is typed by its readings. */
export function page<const R extends Readings = {}, const C extends Readings = {}>(
  definition: Definition<R, C>,
): Page {
  const { live = [], does = [], shows = [], leadsTo = [], ...rest } = definition;
  const { reads = {}, cards = {}, view, head, json, ...plain } = rest;
  return Object.freeze({
    ...plain,
    live,
    reads,
    cards,
    does: [...new Set([...does, ...shows])],
    shows,
    leadsTo,
    head: head as Page['head'],
    json: json as Page['json'],
    // The answers are those of `reads` and `cards`: render.tsx fetches these and no others.
    view: view as unknown as Page['view'],
  });
}
