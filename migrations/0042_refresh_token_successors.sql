-- The tokens that replace a refresh token are derived from it, so that a repeat of the refresh is
-- answered the same tokens and a sign-in stays one chain. The master key of the first use stays
-- that of each repeat.
alter table oauth_item add column derived_under text;
