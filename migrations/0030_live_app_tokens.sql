-- An app renews its tokens for months, and the ended ones are kept for a while: the newest that
-- work are found without them (shared/connections/access_tokens.ts).
create index api_key_connection_live on api_key (connection_id, id)
  where connection_id is not null and revoked_at is null;
