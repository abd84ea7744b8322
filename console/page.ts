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
 *    op="create_key" />` draws the fields of its schema in it. All of them are sent to
 *    `POST /console/do/:operation`, which invokes it and answers with a redirect (303) or with this
 *    page again, which then says first what was refused, with the fields as they were filled in.
 * 4. `view` gets the answers by their names and returns TSX. Text is escaped. What others wrote
 *    stands in `<Words>` (`parts/text.tsx`). Amounts are `<Usd>`, times `<When>`, lists `<Table>`,
 *    and each part of a page is a `<Card>`. `useShown()` gives the rest: who is signed in, the
 *    query, what was just done.
 * 5. `live` lists the kinds of events (`order` of `order.created`) after which the page is fetched
 *    again and `<main>` is changed in place; what a person has typed stays.
 * 6. `nav` puts it into the navigation. "This page by API" below it is printed from `reads`.
 *
 * No style attributes and no scripts in a page: the policy of its headers forbids them.
 */
import type { VNode } from 'preact';

import type { Access } from '../shared/kernel/operation.ts';
import type { AnswerOf, ReadName } from './answers.ts';
import type { IconName } from './parts/icons.tsx';

/** Who may see a page: anybody, an owner who has signed in, an operator who has. */
export type PageAccess = Extract<Access, 'public' | 'owner' | 'operator'>;

/** What was asked for, of a page whose path has parameters or that reads its query. */
export interface Asked {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The agent that has signed in: the root of its tree. Of an owner's page alone. */
  readonly agentId?: number | undefined;
}

type Input = Readonly<Record<string, unknown>>;

/**
 * An operation, with its input where it has one. A function that returns undefined: not this time,
 * and the view gets null.
 */
export type Reading<N extends ReadName = ReadName> =
  N | readonly [N, Input | ((asked: Asked) => Input | undefined)];

export type Readings = Readonly<Record<string, Reading>>;

type NameOf<R> = R extends ReadName
  ? R
  : R extends readonly [infer N extends ReadName, unknown]
    ? N
    : never;
type AnswerTo<R> = R extends readonly [unknown, (asked: Asked) => infer I]
  ? undefined extends I
    ? AnswerOf<NameOf<R>> | null
    : AnswerOf<NameOf<R>>
  : AnswerOf<NameOf<R>>;
export type Answers<R extends Readings> = { readonly [K in keyof R]: AnswerTo<R[K]> };
type Perhaps<R extends Readings> = { readonly [K in keyof R]: AnswerTo<R[K]> | null };

export interface Page {
  /** As a route: `/console/orders/:id`. */
  readonly path: string;
  readonly title: string;
  readonly access: PageAccess;
  /**
   * Its place in the navigation: the group's heading ('' above all groups), its icon, what it is
   * called where it is one of the four tabs on phones, and the key that leads there after `g`.
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
  /** Operations that its forms may change something by. */
  readonly does: readonly string[];
  /** Of these, those whose answer the page shows at once, because it is shown once. */
  readonly shows: readonly string[];
  /** Origins beside this one that its forms may lead to. */
  readonly leadsTo: readonly string[];
  /** A script beside that of every page. */
  readonly uses?: 'passkeys' | undefined;
  /** What a program is sent that asks this path for JSON. Absent: the page is for people alone. */
  readonly json?: ((answers: Input, publicUrl: string) => object) | undefined;
  readonly view: (answers: Input, asked: Asked) => VNode;
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
  readonly uses?: Page['uses'];
  readonly json?: (answers: Answers<R> & Perhaps<C>, publicUrl: string) => object;
  readonly view: (answers: Answers<R> & Perhaps<C>, asked: Asked) => VNode;
}

/** Defines a page, with a view that is typed by what it reads. */
export function page<const R extends Readings = {}, const C extends Readings = {}>(
  definition: Definition<R, C>,
): Page {
  const { live = [], does = [], shows = [], leadsTo = [], ...rest } = definition;
  const { reads = {}, cards = {}, view, json, ...plain } = rest;
  return Object.freeze({
    ...plain,
    live,
    reads,
    cards,
    does: [...new Set([...does, ...shows])],
    shows,
    leadsTo,
    json: json as Page['json'],
    // The answers are those of `reads` and `cards`: render.tsx fetches these and no others.
    view: view as unknown as Page['view'],
  });
}
