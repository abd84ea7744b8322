-- Privileges of the application's role, applied after every migration. :app is its name. It owns
-- nothing; of the ledger it may read, add transfers and open treasuries, and not one thing more. It
-- deletes only what has a lifetime (docs/data.md), and changes nothing of a record that is final.

grant usage on schema public, ledger, search to :app;
revoke all on all tables in schema public from :app;
grant select, insert, update on all tables in schema public to :app;
-- Only old versions that nobody bought leave product_version: the trigger version_stays.
grant delete on job, event, past_spend, asset_price, anomaly, refusal, opening, api_key,
                registration, product_version, proxy, proxy_sale, connection_refund, proxy_key,
                proxy_address,
                sweep_fault, webhook, webhook_delivery, approval, labor_upload, labor_verdict,
                labor_block, pending_order, quote, goods_check,
                order_access,
                dataset_part, dataset_upload, email_file, message, x402_payment, stripe_event,
                wallet_challenge, web_session, sign_in_attempt, oauth_item,
                app_code, recovery_code, passkey, answered_challenge, password_reset,
                limit_window, card_proceeds, welcome_mailbox,
                mail, mail_token, notice, notice_off, digest, proven_address, former_address,
                owner_setting, guess_notice, saved_card,
                process, machine_minute, start_link, mail_reply, mail_doubt, chain_provider_day
  to :app;
revoke update on event, opening, charge, charge_refund, policy_version, anomaly, refusal,
               suspension, audit_log, goodwill, deposit_reversal, owed_payment, stripe_event,
               past_balance, asset_price, start_link, mail_reply, mail_doubt, database_timeline
  from :app;
revoke update on goods_verdict, receipt, receipt_day, receipt_key, review_version from :app;
-- sealed: to seal it under another master key, and to erase it.
grant update (sealed, retired_at) on receipt_key to :app;
revoke insert on receipt_watermark from :app;
revoke update on dataset_sale from :app;
grant update (is_open) on dataset_sale to :app;
revoke update on submission, message, chain_payment, payout_transaction, token_transaction,
                 x402_transfer, x402_sent
  from :app;
-- The trigger note_card_proceeds writes it.
revoke insert, update on card_proceeds from :app;
-- The owner of the tables deletes the row of a key that is lost for good (docs/master_keys.md).
revoke update on master_key_canary from :app;
grant update (first_at) on master_key_canary to :app;
grant update (refunded_credit, refunded_cash) on charge to :app;
grant update (refunded) on mail_reply to :app;
grant update (superseded_at, rejected_at, review) on submission to :app;
-- text: to seal it under another master key.
grant update (answered_at, text) on message to :app;
-- Its rows are never changed; they expire with their partition.
revoke update on request, request_0, request_1, request_2, request_3, request_4, request_5
  from :app;
grant truncate on request_0, request_1, request_2, request_3, request_4, request_5 to :app;
grant usage on all sequences in schema public to :app;
grant select on sequence event_id to :app;
grant execute on all functions in schema public to :app;
revoke all on migrations, migration_hash from :app;
revoke insert on dispatch_watermark, event_watermark, money_watermark, audit_log from :app;
grant insert (operator, operation, object_kind, object_id, input, error, address, request_id)
  on audit_log to :app;
grant select on migrations, migration_hash to :app;

revoke all on all functions in schema ledger from public;
grant select on all tables in schema ledger to :app;
grant insert (id, kind, ref, from_account, from_id, from_root, to_account, to_id, to_root,
              credit, cash)
  on ledger.transfer to :app;
grant insert (id) on ledger.treasury to :app;
grant usage, select on sequence ledger.transfer_id to :app;
grant execute on function ledger.lock_treasuries(bigint[]) to :app;
