import { runAgain, timer } from '../../jobs/timers/timer.ts';
import { Output, Type } from '../../kernel/schema.ts';
import { column, row } from '../../platform/rows.ts';
import { forgetReplaced } from './dataset/sold.ts';

export const VERSIONS_MAX = 5_000;

/** Days after which no purchase is in flight that read the version as the current one. */
const KEPT_DAYS = 30;

/**
 * Deletes versions of products that were superseded long ago and never bought, with content that
 * only they deliver. Each version is checked once: no more purchases can come. A version whose
 * content a later one delivers is checked again after the same time. What replaced versions of
 * datasets delivered goes an hour later, or when the last deal about it is final.
 */
export const forgetOldVersions = timer({
  name: 'forget_old_versions',
  title: 'Forget old versions',
  summary:
    `Internal: deletes versions of products that nobody bought in ${KEPT_DAYS} days, and ` +
    'replaced versions of datasets that no open order bought.',
  everyMs: 10 * 60_000,
  output: Output({ forgotten: Type.Integer({ description: 'Versions deleted.' }) }),

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
    const replaced = await forgetReplaced(tx.db);
    if (judged === VERSIONS_MAX || replaced.isFull) await runAgain(tx, 'forget_old_versions');
    return { forgotten: forgotten + replaced.forgotten };
  },
});
