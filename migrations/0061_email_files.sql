-- Lists of addresses that are uploaded as a file and validated as a whole.

-- columns are the names in its first line, or column_1 … where it has none. email_column is the
-- index of the one that holds the addresses.
create table email_file (
  id           bigint generated always as identity primary key,
  agent_id     bigint not null,
  root_id      bigint not null,
  name         text not null,
  format       text not null check (format in ('csv', 'jsonl')),
  delimiter    text not null,
  columns      text[] not null,
  email_column int not null check (email_column >= 0),
  row_count    int not null default 0 check (row_count between 0 and 100000),
  addresses    int not null default 0 check (addresses between 0 and row_count),
  bytes        int not null default 0 check (bytes between 0 and 16777216), -- as JSON
  status       text not null default 'uploaded'
               check (status in ('uploaded', 'running', 'complete', 'partial')),
  job_id       uuid, -- the call that validates it, or did so last
  created_at   timestamptz not null default now(),
  finished_at  timestamptz,
  constraint email_file_agent foreign key (agent_id, root_id) references agent (id, root_id),
  constraint email_file_begun check ((job_id is null) <= (status = 'uploaded')),
  constraint email_file_finished check (
    (status in ('complete', 'partial')) <= (finished_at is not null))
);
create index email_file_of_agent on email_file (agent_id, id); -- list_email_files
create index email_file_of_tree on email_file (root_id); -- what a tree stores

-- The rows of a file, as many parts as its upload had. content is sealed: a JSON list of rows, each
-- a list of cells.
create table email_file_part (
  id        bigint generated always as identity primary key,
  file_id   bigint not null references email_file on delete cascade,
  after     int not null check (after >= 0), -- rows of the parts before
  row_count int not null check (row_count > 0),
  content   bytea not null,
  constraint email_file_part_once unique (file_id, after)
);

-- Each address of a file once. digest is of the mailbox, domain_hash of its domain; row_number
-- is the first row that has it. result is null until it was validated, by the job call_id.
create table email_file_address (
  file_id     bigint not null references email_file on delete cascade,
  digest      bytea not null,
  row_number  int not null check (row_number >= 0),
  domain_hash int not null,
  status      text check (status in ('deliverable', 'risky', 'undeliverable', 'unknown', 'unpaid')),
  result      jsonb,
  call_id     uuid,
  primary key (file_id, digest),
  constraint email_file_address_row unique (file_id, row_number),
  constraint email_file_address_validated check (
    (status is null) = (result is null) and (status is null) = (call_id is null))
);
