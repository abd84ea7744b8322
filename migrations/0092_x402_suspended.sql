-- Up to this block each transfer that pays for no call was found among deposits; null: never yet.
alter table x402_cursor add column suspended_to bigint;

-- It came from a wallet of the marketplace, so nothing is owed for it; null: nobody noted that.
alter table x402_transfer add column own boolean;
