-- The histories that this database has had, by which a standby is told from one of another primary
-- (shared/platform/connections/standby.ts). A primary adds its own, once after each promotion.
create table database_timeline (
  system   bigint not null, -- the identifier of the cluster
  timeline int not null,
  branch   uuid not null default gen_random_uuid(), -- of this primary, and of no other
  noted_at timestamptz not null default now(),
  primary key (system, timeline)
);
