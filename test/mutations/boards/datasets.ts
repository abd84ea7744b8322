import type { Mutation } from '../mutation.ts';

const ACCESS = 'shared/domains/datasets/access_dataset.ts';
const ACCESSES = 'shared/domains/datasets/accesses.ts';
const RIGHT = 'shared/domains/datasets/access_right.ts';
const SALE = 'shared/domains/products/dataset/sale.ts';
const UPLOAD = 'shared/domains/datasets/upload_dataset_rows.ts';
const UPLOADS = 'shared/domains/datasets/uploads.ts';
const VERSIONS = 'shared/domains/datasets/versions.ts';
const PAGES = 'shared/domains/datasets/pages.ts';
const FTP = 'workers/gateways/datasets/ftp.ts';
const DATASETS_TEST = 'test/datasets/datasets.test.ts';
const SALE_TEST = 'test/datasets/dataset_sale.test.ts';
const LINKS_TEST = 'test/datasets/dataset_links.test.ts';
const UPLOADS_TEST = 'test/datasets/dataset_uploads.test.ts';
const MYSQL_SESSION = 'workers/gateways/datasets/mysql_session.ts';
const MYSQL_TEST = 'test/datasets/mysql_users.test.ts';
const MYSQL_TLS_TEST = 'test/datasets/mysql_tls.test.ts';
const HOSTILE_TEST = 'test/datasets/hostile_ftp.test.ts';
const FTP_TEST = 'test/datasets/ftp_datasets.test.ts';

const EVENTS_TEST = 'test/datasets/access_events.test.ts';

export const DATASETS: readonly Mutation[] = [
  {
    name: 'each_access_has_events',
    file: ACCESSES,
    from: 'if (!isAnnounced(accesses)) return;',
    to: 'void isAnnounced;',
    tests: [EVENTS_TEST],
    grep: 'count a tree',
  },
  {
    name: 'many_accesses_are_told_of_once',
    file: ACCESSES,
    from: '/^10*$/',
    to: '/^1$/',
    tests: [EVENTS_TEST],
    grep: 'count a tree',
  },
  {
    name: 'children_have_events_of_accesses_of_their_own',
    file: ACCESSES,
    from: '{ tree: caller.rootId, of }',
    to: '{ tree: caller.agentId, of }',
    tests: [EVENTS_TEST],
    grep: 'count a tree',
  },
  {
    name: 'accesses_to_a_new_version_are_not_told_of',
    file: ACCESSES,
    from: '`dataset ${dataset.id} version ${dataset.version}`',
    to: '`dataset ${dataset.id}`',
    tests: [EVENTS_TEST],
    grep: 'each version',
  },
  {
    name: 'datasets_are_all_free',
    file: RIGHT,
    from: 'const isFree = dataset.price === 0n && ',
    to: 'const isFree = dataset.price >= 0n && ',
    tests: [DATASETS_TEST],
  },
  {
    name: 'refunded_orders_give_access',
    file: RIGHT,
    from: "'completed', 'partially_refunded']",
    to: "'completed', 'partially_refunded', 'refunded']",
    tests: [SALE_TEST],
  },
  {
    name: 'disputed_orders_give_no_access',
    file: RIGHT,
    from: "['escrow', 'disputed', ",
    to: "['escrow', ",
    tests: [SALE_TEST],
  },
  {
    name: 'access_to_datasets_has_no_end',
    file: RIGHT,
    from: 'and ($4::int is null or o.created_at > ',
    to: 'and ($4::int is not distinct from $4 or o.created_at > ',
    tests: [MYSQL_TEST],
    grep: 'days of access are over',
  },
  {
    name: 'datasets_are_renewed_while_they_are_read',
    file: RIGHT,
    from: "findDataset(db, id, 'for share')",
    to: 'findDataset(db, id)',
    tests: [UPLOADS_TEST],
  },
  {
    name: 'opened_datasets_are_given_back_unseen',
    file: ACCESSES,
    from: 'if (order?.revealed_at === null) await recordOpening',
    to: 'if (order?.revealed_at === undefined && order) await recordOpening',
    tests: [DATASETS_TEST],
  },
  {
    name: 'accesses_of_datasets_are_told_to_the_buyer_alone',
    file: ACCESSES,
    from: 'eventsFor([caller.agentId, dataset.seller_id]',
    to: 'eventsFor([caller.agentId]',
    tests: [DATASETS_TEST],
  },
  {
    name: 'links_that_have_ended_are_delivered',
    file: ACCESS,
    from: 'new Date(expires_at) <= tx.now',
    to: 'new Date(expires_at) <= new Date(0)',
    tests: [LINKS_TEST],
  },
  {
    name: 'datasets_are_sold_twice',
    file: SALE,
    from: 'if (product_id !== null) {',
    to: 'if (product_id === undefined) {',
    tests: [SALE_TEST],
  },
  {
    name: 'datasets_are_sold_before_their_check',
    file: SALE,
    from: 'if (price > 0n || version === 0) {',
    to: 'if (price > 0n) {',
    tests: [SALE_TEST],
  },
  {
    name: 'users_of_the_free_stay_when_a_dataset_is_sold',
    file: SALE,
    from: 'set ends_at = least(ends_at, now())',
    to: 'set ends_at = ends_at',
    tests: [MYSQL_TEST],
    grep: 'for free',
  },
  {
    name: 'sales_of_datasets_begin_when_their_transaction_did',
    file: SALE,
    from: 'sold_at = clock_timestamp()',
    to: 'sold_at = now()',
    tests: [SALE_TEST],
  },
  {
    name: 'uploads_of_others_are_used',
    file: UPLOADS,
    from: 'where upload_id = $1 and agent_id = $2 order by after',
    to: 'where upload_id = $1 and $2::bigint > 0 order by after',
    tests: [UPLOADS_TEST],
  },
  {
    name: 'uploads_are_used_twice',
    file: UPLOADS,
    from: "'delete from dataset_upload where id = $1 returning content'",
    to: "'select content from dataset_upload where id = $1'",
    tests: [UPLOADS_TEST],
  },
  {
    name: 'uploads_have_no_end',
    file: UPLOAD,
    from: 'if (size_bytes > BYTES_MAX) {',
    to: 'if (size_bytes > 2 * BYTES_MAX) {',
    tests: [UPLOADS_TEST],
  },
  {
    name: 'pages_of_two_versions_are_mixed',
    file: PAGES,
    from: 'if (Number(of) === version) return',
    to: 'if (Number(of) > 0) return',
    tests: [UPLOADS_TEST],
  },
  {
    name: 'old_versions_of_datasets_stay',
    file: VERSIONS,
    from: "'delete from dataset_part where dataset_id = $1 and version < $2'",
    to: "'delete from dataset_part where dataset_id = $1 and version < $2 - 9'",
    tests: [LINKS_TEST],
  },
  {
    name: 'ftp_data_connections_go_where_the_server_says',
    file: FTP,
    from: 'egress.connect({ host: control.remoteAddress!, port }, limits)',
    to: "egress.connect({ host: '127.0.0.2', port }, limits)",
    tests: [HOSTILE_TEST],
  },
  {
    name: 'ftp_servers_may_send_without_end',
    file: FTP,
    from: 'if (chars > ANSWER_CHARS_MAX)',
    to: 'if (chars < 0)',
    tests: [HOSTILE_TEST],
  },
  {
    name: 'ftp_sessions_may_take_for_ever',
    file: FTP,
    from: "ended.addEventListener('abort', ",
    to: "ended.addEventListener('never', ",
    tests: [HOSTILE_TEST],
  },
  {
    name: 'ftps_logs_in_before_tls',
    file: FTP,
    from: "if (protocol === 'ftps') {\n    await client.useTLS",
    to: "if (protocol === 'ftps' && host === '') {\n    await client.useTLS",
    tests: [FTP_TEST],
  },
  {
    name: 'mysql_certificates_may_be_anybodys',
    file: MYSQL_SESSION,
    from: "const isVerified = tls === 'verified';",
    to: "const isVerified = host === '';",
    tests: [MYSQL_TLS_TEST],
  },
  {
    name: 'mysql_does_without_tls_where_it_is_required',
    file: MYSQL_SESSION,
    from: "server.tls !== 'preferred'",
    to: "server.tls === 'verified'",
    tests: [MYSQL_TLS_TEST],
  },
  {
    name: 'mysql_servers_may_send_without_end',
    file: MYSQL_SESSION,
    from: 'if (socket.bytesRead > ANSWER_BYTES_MAX)',
    to: 'if (socket.bytesRead < 0)',
    tests: [MYSQL_TLS_TEST],
  },
  {
    name: 'users_of_mysql_log_in_without_tls',
    file: 'workers/gateways/datasets/mysql.ts',
    from: "tls === 'preferred' ? 'none' : 'ssl'",
    to: "tls === 'verified' ? 'ssl' : 'none'",
    tests: [MYSQL_TLS_TEST],
  },
  {
    name: 'trees_store_without_end',
    file: 'shared/domains/agents/limits/storage.ts',
    from: 'if (used + bytes <= most) return;',
    to: 'if (used >= 0) return;',
    tests: [UPLOADS_TEST],
    grep: '256 MB',
  },
  {
    name: 'products_of_datasets_deliver_something_else',
    file: 'shared/domains/products/update_product.ts',
    from: 'if (change.content !== undefined) await',
    to: 'if (change.content === null) await',
    tests: [SALE_TEST],
    grep: 'whatever its product says',
  },
];
