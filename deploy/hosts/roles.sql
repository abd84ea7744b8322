-- The two roles and the database. Run once, as postgres, on the primary, before the first release.
create role market_owner login password '${OWNER_PASSWORD}';
create role market_app login password '${APP_PASSWORD}';
create database market owner market_owner;
