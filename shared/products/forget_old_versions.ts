import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { column, row } from '../platform/rows.ts';

export const VERSIONS_MAX = 5_000;

/** After so many days no purchase that read the version as the current one is in flight. */
const KEPT_DAYS = 30;

/**
 * Deletes versions of products that were superseded long ago and never bought, with the content
 * that they alone deliver. Each version is judged once: whether it was bought does not change.
 * One whose content a later version delivers is judged again when as much time has passed.
 */
export const forgetOldVersions = operation({
  name: 'forget_old_versions',
  title: 'Forget old versions',
  summary: `Internal: deletes versions of products that nobody bought in ${KEPT_DAYS} days.`,
  access: 'operator',
  mode: 'job',
  domain: 'products',
  queue: 'timers',
  everyMs: 10 * 60_000,
  input: Input({}),
  output: Output({ forgotten: Type.Integer({ description: 'How many versions.' }) }),

  async handle(tx) {
    const { judged, forgotten } = await row(
      tx.db,
      { judged: column.int, forgotten: column.int },
      `with old as materialized (
         select product_id, version from product_version
          where superseded_at < now() - $1 * interval '1 day'
          order by superseded_at limit $2 for update skip locked),
       judged as materialized (
         select old.*,
                (select true from orders o -- limit keeps them index probes
                  where (o.product_id, o.version) = (old.product_id, old.version) limit 1)
                  is not null as was_bought,
                (select true from product_version later
                  where (later.product_id, later.content_version)
                      = (old.product_id, old.version) and later.version <> old.version limit 1)
                  is not null as is_delivered
           from old),
       kept as (
         update product_version v
            set superseded_at = case when was_bought then null else now() end
           from judged
          where (v.product_id, v.version) = (judged.product_id, judged.version)
            and (was_bought or is_delivered)),
       gone as (
         delete from product_version v using judged
          where (v.product_id, v.version) = (judged.product_id, judged.version)
            and not was_bought and not is_delivered
         returning 1)
       select (select count(*) from judged)::int as judged,
              (select count(*) from gone)::int as forgotten`,
      [KEPT_DAYS, VERSIONS_MAX],
    );
    if (judged === VERSIONS_MAX) await tx.enqueue(itself, {}, { cause: 'rest' });
    return { forgotten };
  },
});

/** For what one transaction should not hold. */
const itself = { name: 'forget_old_versions', queue: 'timers', input: Input({}) } as const;
