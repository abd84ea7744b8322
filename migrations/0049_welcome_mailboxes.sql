-- Mailboxes whose agent was given the welcome credit: each is given it once, whatever follows the
-- plus sign of its address.
create table welcome_mailbox (
  mailbox  text primary key,
  agent_id bigint not null unique references agent (id)
);

\ir functions/mailbox_of.sql

insert into welcome_mailbox (mailbox, agent_id)
select distinct on (mailbox_of(a.email)) mailbox_of(a.email), a.id
  from agent a join ledger.transfer t on t.kind = 'welcome' and t.ref = a.id
 where a.email is not null
 order by mailbox_of(a.email), a.id;
