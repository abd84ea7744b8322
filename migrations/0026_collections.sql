-- Collections on Solana: groups of Token-2022 that NFTs may be members of. An agent has one.

alter table token_wallet
  add column rail text not null default 'algorand' check (rail in ('algorand', 'solana')),
  drop constraint token_wallet_network_check,
  add constraint token_wallet_network_check check
    (network = 'sandbox'
      or network = case rail when 'solana' then 'mainnet-beta' else 'mainnet' end),
  drop constraint token_wallet_address_check,
  add constraint token_wallet_address_check check
    (address ~ case rail when 'solana' then '^[1-9A-HJ-NP-Za-km-z]{32,44}$'
                         else '^[A-Z2-7]{58}$' end);
comment on column token_wallet.spendable is 'in micro-ALGO, or in lamports';

-- Of a collection unit_name is its symbol, mint its address, and round the slot.
alter table token
  add column mint text collate "C" check (mint ~ '^[1-9A-HJ-NP-Za-km-z]{32,44}$'),
  drop constraint token_kind_check,
  add constraint token_kind_check check (kind in ('asa', 'nft', 'contract', 'collection')),
  drop constraint token_network_check,
  add constraint token_network_check check (network = 'sandbox' or network =
    case kind when 'collection' then 'mainnet-beta' else 'mainnet' end),
  drop constraint token_tx_id_check,
  add constraint token_tx_id_check check
    (tx_id ~ case kind when 'collection' then '^[1-9A-HJ-NP-Za-km-z]{64,88}$'
                       else '^[A-Z2-7]{52}$' end),
  drop constraint token_asa,
  add constraint token_asa check ((kind in ('asa', 'collection')) = (name is not null)
    and (kind in ('asa', 'collection')) = (unit_name is not null)
    and (kind = 'asa') = (total_supply is not null) and (kind = 'asa') = (decimals is not null)),
  drop constraint token_nft,
  add constraint token_nft check ((kind = 'nft') = (address is not null)
    and (kind in ('nft', 'collection')) = (uri is not null)
    and (number is null) = (contract_id is null) and (kind = 'nft' or number is null)),
  drop constraint token_deployed,
  add constraint token_deployed check (
    (status = 'deployed' and kind <> 'collection') = (algo_id is not null)
    and (status = 'deployed' and kind = 'collection') = (mint is not null)
    and (status = 'deployed') = (tx_id is not null) and (status = 'deployed') = (round is not null)
    and (kind <> 'nft' or status not in ('submitted', 'deployed') or number is not null));
-- An agent has one.
create unique index token_collection on token (agent_id)
  where kind = 'collection' and status <> 'failed';
create index token_collections on token (agent_id, id) where kind = 'collection'; -- the newest
-- Two calls never have the same.
create unique index token_mint_once on token (mint) where mint is not null;

-- On Solana last_valid is the last height of a block that may have it.
alter table token_transaction
  drop constraint token_transaction_tx_id_check,
  add constraint token_transaction_tx_id_check check
    (tx_id ~ '^([A-Z2-7]{52}|[1-9A-HJ-NP-Za-km-z]{64,88})$');
