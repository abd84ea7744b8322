import type { Mutation } from '../mutation.ts';

const GRANTS = 'shared/domains/datasets/grants.ts';
const USER = 'shared/domains/datasets/set_dataset_user.ts';
const DROPS = 'shared/domains/datasets/drop_dataset_users.ts';
const CHECK = 'shared/domains/datasets/check_dataset.ts';
const REPLAY = 'shared/domains/webhooks/replay_webhook.ts';
const ROTATE = 'shared/domains/webhooks/rotate_webhook_secret.ts';
const OPERATOR = 'shared/domains/webhooks/operator_set_webhook.ts';
const MYSQL = ['test/datasets/mysql_users.test.ts'];
const LINKS = ['test/datasets/dataset_links.test.ts'];
const WEBHOOKS = ['test/webhooks/webhooks.test.ts'];
const STOPPED = ['test/webhooks/operator_set_webhook.test.ts'];

/** Who is delivered what: users of servers, datasets that are checked, webhooks, connections. */
export const DELIVERED_TO_CALLERS: readonly Mutation[] = [
  {
    name: 'user_of_one_agent_is_that_of_all',
    file: GRANTS,
    from: "'g.dataset_id = $1 and g.agent_id = $2'",
    to: "'g.dataset_id = $1 and $2 > 0'",
    tests: MYSQL,
  },
  {
    name: 'user_of_a_buyer_never_ends',
    file: GRANTS,
    from: "+ $8 * interval '1 day', 'infinity'))",
    to: "+ $8 * interval '1000 days', 'infinity'))",
    tests: MYSQL,
    grep: 'days of access',
  },
  {
    name: 'user_whose_time_has_ended_is_made',
    file: USER,
    from: 'const isWanted = !grant.has_ended;',
    to: 'const isWanted = true;',
    tests: MYSQL,
  },
  {
    name: 'user_stays_on_the_server_of_before',
    file: USER,
    from: 'if (isWanted && versions.includes(grant.version)) return undefined;',
    to: 'if (isWanted && grant.version > 0) return undefined;',
    tests: ['test/datasets/mysql_sold.test.ts'],
    grep: 'renewed',
  },
  {
    name: 'user_that_was_not_dropped_counts_as_dropped',
    file: USER,
    from: 'if (done.fault !== null) {',
    to: 'if (done.fault !== null && done.isWanted) {',
    tests: MYSQL,
  },
  {
    name: 'user_is_dropped_once_only',
    file: USER,
    from: 'select now() > ends_at + ${LAST_DROP_AFTER} as is_last',
    to: 'select true as is_last',
    tests: MYSQL,
    grep: 'refunded',
  },
  {
    name: 'users_whose_time_has_ended_are_kept',
    file: DROPS,
    from: 'where dropped_at is null and ends_at <= now() and next_at <= now()',
    to: "where dropped_at is null and ends_at <= now() - interval '1 day' and next_at <= now()",
    tests: MYSQL,
  },
  {
    name: 'users_that_cannot_be_dropped_are_tried_each_time',
    file: DROPS,
    from: "+ least(interval '1 minute' * 2 ^ least(attempts, 11), interval '1 day')",
    to: "+ interval '0 s' * attempts",
    tests: MYSQL,
    grep: 'attempt again',
  },
  {
    name: 'file_of_another_size_is_delivered',
    file: CHECK,
    from: 'if (size_bytes !== undefined && size_bytes !== found.size_bytes) {',
    to: 'if (size_bytes !== undefined && size_bytes < 0) {',
    tests: LINKS,
  },
  {
    name: 'file_of_another_content_is_delivered',
    file: CHECK,
    from: 'if (sha256 !== undefined && sha256 !== found.sha256) {',
    to: "if (sha256 !== undefined && sha256 === '') {",
    tests: LINKS,
  },
  {
    name: 'dataset_is_renewed_while_it_is_checked',
    file: 'shared/domains/datasets/rotate_dataset.ts',
    from: 'await assertChecked(tx, dataset);',
    to: 'void assertChecked;',
    tests: [...LINKS, 'test/datasets/datasets.test.ts'],
  },
  {
    name: 'suspended_agent_offers_datasets',
    file: 'shared/domains/datasets/create_dataset.ts',
    from: 'await refuseSuspended(tx);',
    to: 'void refuseSuspended;',
    tests: ['test/datasets/datasets.test.ts', 'test/datasets/dataset_sale.test.ts'],
  },
  {
    name: 'events_of_other_trees_are_sent_again',
    file: REPLAY,
    from: 'join event e on e.root_id = w.root_id',
    to: 'join event e on e.root_id > 0',
    tests: WEBHOOKS,
  },
  {
    name: 'events_of_other_types_are_sent_again',
    file: REPLAY,
    from: "e.occurred_at >= $3 and ${isOfTypes('e.type', 'w.types')})",
    to: "e.occurred_at >= $3 or ${isOfTypes('e.type', 'w.types')} is null)",
    tests: WEBHOOKS,
    grep: 'send again',
  },
  {
    name: 'event_that_was_sent_is_not_sent_again',
    file: REPLAY,
    from: "set status = 'waiting', attempts = 0, next_at = now()",
    to: 'set status = webhook_delivery.status',
    tests: WEBHOOKS,
    grep: 'send again',
  },
  {
    name: 'events_are_sent_before_their_turn',
    file: REPLAY,
    from: 'where w.id = $1 and e.id <= w.position and (',
    to: 'where w.id = $1 and (',
    tests: WEBHOOKS,
  },
  {
    name: 'secret_before_signs_no_more',
    file: ROTATE,
    from: 'now() + make_interval(hours => $4)',
    to: 'now() + make_interval(hours => 0 * $4)',
    tests: WEBHOOKS,
  },
  {
    name: 'repeated_rotation_shows_its_secret_again',
    file: ROTATE,
    from: 'redact: (result) => ({ ...result, secret: null }) }',
    to: 'redact: (result) => result }',
    tests: [...WEBHOOKS, 'test/jobs/canaries.test.ts'],
  },
  {
    name: 'deleted_webhook_is_sent_on',
    file: 'shared/domains/webhooks/delete_webhook.ts',
    from: "await execute(tx.db, 'delete from webhook where id = $1', [webhook_id]);",
    to: 'void execute;',
    tests: WEBHOOKS,
  },
  {
    name: 'webhook_changes_to_any_url',
    file: 'shared/domains/webhooks/update_webhook.ts',
    from: 'url === undefined ? before.url : checkUrl(tx, url)',
    to: 'url === undefined ? checkUrl(tx, before.url) : url',
    tests: WEBHOOKS,
  },
  {
    name: 'webhook_of_new_types_is_sent_what_came_before',
    file: 'shared/domains/webhooks/update_webhook.ts',
    from: 'types_from = case when types = $3 then types_from else position end',
    to: 'types_from = types_from',
    tests: WEBHOOKS,
  },
  {
    name: 'owner_is_not_told_that_its_webhook_was_stopped',
    file: OPERATOR,
    from: 'if (before.status !== status) {',
    to: "if (before.status !== status && status === 'active') {",
    tests: STOPPED,
  },
  {
    name: 'webhook_that_operators_start_waits_on',
    file: OPERATOR,
    from: "set status = $2, not_before = '-infinity', failed_rounds = 0,",
    to: 'set status = $2, failed_rounds = 0,',
    tests: STOPPED,
  },
  {
    name: 'ended_key_ends_connections',
    file: 'shared/domains/connections/revoke_connection.ts',
    from: 'await holdLiveKey(tx);',
    to: 'void holdLiveKey;',
    tests: ['test/connections/connections.test.ts'],
  },
];
