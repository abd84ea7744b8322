/** Words that mean the same here; the first of a line stands for all of it. */
const GROUPS = `
seller vendor merchant shop store provider
buyer customer client purchaser
buy purchase acquire
complaint scam fraud cheat cheated swindle fake broken defective faulty wrong bad damaged invalid
coin cryptocurrency currency crypto token tokenize
nft collectible artwork art
picture image photo drawing pic graphic
worker freelancer contractor assignee annotator labeler
sell monetize market commercialize
address lead contact subscriber recipient
mailbox bounce inboxes
email mail e-mail
transcription transcribe caption subtitle audio clip recording
label annotate tag classify classification
summarize translate research code program develop
left remaining remain rest
correct fix improve revise rework repair
news update happen
money fund cash dollar usd buck broke penniless capital cent bankroll
credential login connection
data spreadsheet csv excel table
limit cap forbid restrict maximum quota
freeze block disable ban stop halt quit pause
resume unfreeze unblock reactivate continue
create make build produce launch
allow approve permit authorize confirm approval consent permission
price cost charge fee expensive
account profile signup register
key licence license serial code
proxy ip vpn exit
country nation location geography japan germany france usa america region continent city
job task gig bounty assignment
result solution deliverable submission
payout withdrawal cashout
deposit topup
history past previous
stock inventory unit restock replenish
status state progress
agent bot assistant
child subagent sub-agent team crew staff member subaccount teammate
card visa mastercard amex creditcard
automatic automatically auto
ethereum eth ether evm erc20
tron trc20 trx usdt tether
algorand algo algos pera
solana sol spl
verify validate
cancel abort scrap undo retract
delete remove erase
refund reimburse repay reimbursement chargeback
reject refuse decline deny disapprove
choose pick select appoint
contest challenge disagree unfair unfairly
earn income revenue profit proceeds turnover earnings
expense expenditure outlay
replace rotate renew reset regenerate refresh swap
leak leaked compromised stolen hacked exposed
monitor watch supervise observe track
change modify edit alter adjust amend
microtask microwork hit crowdwork piecework crowd mturk micro
estimate preview simulate dry quote quotation
record row line entry
pending outstanding await awaiting
show display view see
catalog catalogue storefront assortment
message chat dm conversation talk thread
bid bidder proposal tender
total sum altogether overall
search seek hunt lookup look find browse
download export fetch retrieve obtain
upload feed import append load
terminate end close finish complete done finalize
error failure problem issue bug trouble
dispute complain
chain blockchain network onchain
transfer payment
list overview dashboard enumerate
start begin commence
transaction tx hash txid
guide instruction howto manual
question ask
dataset corpus
notification alert notice
deadline due eta
rule policy guideline
budget allowance
receipt invoice
rating review reputation feedback star
cheap inexpensive affordable
write compose
owner human boss
reply answer respond response
wait waiting
secret password passphrase
expire expiry lapse
website site page url link
document file paper
disconnect unlink detach
all every everything each entire whole
deliver submit hand turn
grab get
hire employ recruit
expert specialist professional
large big huge
small tiny little mini
late overdue delayed
inform tell notify
help assist support
connect attach bind
proof prove evidence
setting configuration config option preference
rent lease
`;

/** For each word, the one that stands for it. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map(
  GROUPS.trim()
    .split('\n')
    .flatMap((line) => {
      const words = line.split(' ');
      return words.map((word) => [word.replaceAll('-', ''), words[0]!] as const);
    }),
);
