-- NFTs are minted in groups of transactions, so several of a contract are submitted at a time. The
-- lock of the contract's row keeps groups apart (tokens/deployment.ts), and the numbers are unique.
drop index token_nft_open;
comment on column token_transaction.bytes is
  'base64; of a group of NFTs those of all are with the first, and the others have none';

-- A claim is the transfer of the whole supply of an asset to an address of its issuer, free of
-- charge. Its contract_id is the asset: programs of the release before write none, and cannot sign
-- a claim as something else.
alter table token
  drop constraint token_kind_check,
  add constraint token_kind_check check (kind in ('asa', 'nft', 'contract', 'collection', 'claim')),
  drop constraint token_nft,
  add constraint token_nft check ((kind in ('nft', 'claim')) = (address is not null)
    and (kind in ('nft', 'collection')) = (uri is not null)
    and (kind = 'claim' or (number is null) = (contract_id is null))
    and (kind = 'nft' or number is null)),
  add constraint token_claim check (kind <> 'claim' or contract_id is not null),
  drop constraint token_issued,
  add constraint token_issued check ((kind = 'contract') = (agent_id is null)
    and (agent_id is null) = (root_id is null) and (agent_id is null) = (call_id is null)
    and (kind in ('contract', 'claim')) = (charge_id is null));
comment on column token.contract_id is 'of an NFT its contract, of a claim its asset';
-- An asset is claimed once.
create unique index token_claim on token (contract_id)
  where kind = 'claim' and status <> 'failed';

-- How far refunds and disputes at Stripe were compared with the deposits, by events and by the
-- movements of the balance.
create table stripe_cursor (
  network     text primary key check (network in ('stripe', 'stripe_test', 'sandbox')),
  compared_to timestamptz not null
);
