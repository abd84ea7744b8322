import { intentsIn } from './tuning_intents.ts';

/** The other half of the intents in tuning_intents.ts. Nothing may be tuned on these. */
export const VALIDATION = intentsIn(`
search_assets: any mcp server for weather below 5 usd?; search catalogue by keyword and maximum
  price; which listings match "residential proxy"
list_products: what is on sale right now; storefront overview; dump every listing that is active
get_product: price and description of one particular item; read the product page; item info by id
prepare_purchase_payload: quote for 3 licences; what will 5 units set me back altogether;
  calculate price plus your 10 percent
purchase_product: buy product 71; get me that dataset, charge my balance; pay for the listing with
  escrow
get_orders: list of past orders; orders still in escrow; receipts of earlier checkouts
get_vault_item: show the licence key from order 31; open vault; access the goods after checkout
get_wallet: how much credit is left, and my daily limit; which tier am I and what did I spend
  today; show remaining money
stripe_topup: deposit 20 dollars with mastercard; i want pay with card to fill wallet; get a
  Stripe payment link
set_auto_recharge: enable automatic reload of the wallet; recurring funding below a threshold;
  configure auto refill amount
proxy_info: how large is your proxy pool and what does it cost; proxy service status; pool size
  overview
proxy_countries: do you have proxies in Brazil; count of IPs per country; where are exit ips
  located
proxy_list: fetch a batch of socks addresses from France; i need some proxy for scraping; random
  working socks5 endpoints
proxy_fetch_one: single proxy by id; retrieve that exact IP with identifier 99; show a proxy that
  I saw in the list
proxy_my_key: username and password for the rotating endpoint; how do i log in to socks gateway;
  get SOCKS5 reveal key
validate_email: does bob@site.org bounce; is this a throwaway mailbox; email correct or fake?
email_quota: how many emails can i still check today; validation allowance left; do I have any
  email credits
algo_info: algorand network details; is ALGO on mainnet
algo_info algo_deposit: facts on paying with algorand
algo_deposit algo_info: fund the wallet using ALGO; give me address to pay algo coin
algo_deposit: deposit instructions with note for algorand
algo_verify_deposit: I paid in ALGO, here is the txid; credit my wallet for algo tx ABC123; algos
  sent but balance unchanged
issue_asa: mint one million coins named Foo; i want make own crypto token; tokenise my project
solana_info: where to send USDC-SPL; which Solana network and tokens are accepted; solana wallet
  address of the platform
solana_collection: what collection do product NFTs belong to; show solana nft collection; solana
  collection metadata
solana_verify: verify solana signature; credit deposit from phantom wallet; sol was sent an hour
  ago, claim it
solana_metadata: metaplex metadata for a listing; token uri content of an item; get name, symbol
  and image for the nft of a product
evm_info: where do I pay ETH; send usdc on ethereum, to what address; chain ids and tokens
  supported
evm_abi: json abi to call the payment contract; how to encode the contract call for paying; abi
  please for ethers.js
evm_verify: verify tx hash on arbitrum; eth deposit not showing, here is hash; check 0x
  transaction
task_browse: find work I could bid on; list tasks waiting for bids; i am looking for freelance
  task
task_post: post a job with 30 dollars budget; i need someone to do research for me; publish job
  posting for other agents
task_bid: apply for a gig; submit a proposal with bid amount; place bid
task_submit: deliver the result of task 12; send solution to the agent who hired me; turn in the
  completed job
task_approve: escrow release for the task; sign off on delivered task; pay contractor, job done
  well
task_mine: my current jobs; what am I assigned to; dashboard of tasks of mine
list_labor_tasks: available labeling work; is there any small work like data annotation;
  mechanical turk style tasks
take_labor_task: reserve micro-task 5 for me; i take this translation task; accept microtask
deliver_labor_task: hand in transcription for claim 8; finish claimed labor and get paid; deliver
  annotation result
list_datasets: browse data for sale; available training data; list all dataset
access_dataset: mysql login for dataset 3
access_dataset get_vault_item: download url of the dataset; i purchased data, how i open it
register_agent: create a new account; get an api key, I have none; how to register my bot
spawn_agent: make a sub-account for my other bot; add a team seat; spin up an agent under me
create_product: I want to sell licence keys; start selling
update_product: edit description of my product; deactivate my product
my_products: my listings and their approval
my_products get_product: is my product approved yet
add_stock: restock my product; add codes to listing
stock_status: inventory level of my listing; sold versus unsold units
get_order: look up one purchase by number; one order in detail
confirm_order: accept delivery of purchase; mark order as completed
refund_order: return the payment as seller; chargeback voluntarily
dispute_order: complain about seller; request my money back for purchase
respond_dispute: defend myself against a complaint; give my version of the dispute
withdraw_dispute: take back complaint; drop dispute
wallet_statement: ledger of my account; list incoming and outgoing payments
spend_report: expenses of my agents this week; how much did we spend and on what
sales_report: income as a seller per month; turnover and fees of my sales
list_deposits: my top-up history; deposits I made
link_wallet: prove ownership of address by signature; add metamask
unlink_wallet: forget my crypto wallet; disconnect wallet
tron_info: pay with tron; tron network fee and minimum
tron_verify: my USDT transfer was made, credit me; claim tether deposit
report_proxy: this socks5 is dead, want refund; flag bad proxy
rotate_proxy_key: reset socks credentials; revoke leaked proxy login
validate_emails: bulk email verification; batch of mails to verify
get_asa: is the ASA on chain yet
get_asa list_asa: details of a token I made
list_asa: my ASAs
list_asa get_asa: which coins have I minted
mint_nft: mint ARC-72 token; digital artwork on chain
get_nft: nft details by id; look at one nft
create_solana_collection: new nft collection solana; set up solana collection
get_task: read the job description; one task by id
task_bids: who applied for my job; see bidders
task_accept_bid: hire this applicant; assign task to the agent who offered
task_submissions: see results delivered by worker; review deliverables
task_request_revision: work needs improvement, send back; not quite right, please redo
task_reject: result is useless, do not pay; reject result
task_dispute: client refuses to pay my task
task_dispute labor_appeal: my work was unfairly rejected
task_cancel: call off the job; cancel task nobody took
post_labor_task: crowdsource image annotation; post micro tasks as requester
get_labor_task: instructions of the micro job; read one labor posting
labor_claims: claims of workers on my labor job; list taken units
labor_results: results of my crowdsourcing job; export answers of workers
upload_labor_units: upload images for annotation; feed units into the labor task
judge_labor_claim: review a labor delivery; decide on submitted micro work
pause_labor_task: pause labeling job; temporarily halt crowdsourcing
cancel_labor_task: cancel my micro task; stop labor task for good
labor_heartbeat: keep claim alive; prevent my micro task from expiring
labor_release: cannot finish labor, drop claim; unclaim
labor_appeal: contest decision on micro work; object to the reviewer of labor
create_dataset: publish a dataset; register new data set
rotate_dataset: new credentials for buyers of my data; replace leaked dataset access
upload_dataset_rows: upload json data; import csv lines to inline dataset
agent_me: my account info and scopes; profile of me
list_children: show all bots under my account; team members overview
monitor_agent: activity of a child agent
monitor_agent agent_me: has the agent hit its limits
set_policy: cap daily budget for bot; spending rules and guardrails
suspend_agent: block child agent immediately; kill switch
resume_agent: reactivate suspended agent; unblock child
list_approvals: pending approvals; approval requests queue
cancel_approval: no longer need permission for that purchase; cancel pending approval
decide_approval: deny the request of bot; owner allows the payment
send_message: contact the buyer; chat with worker
list_messages: messages with an agent
list_messages inbox: did the seller reply
inbox list_messages: unread notifications
inbox: things waiting for my action
list_events: event log of my account; poll for changes
withdraw: cash out to crypto wallet; request payout
quote_withdrawal: how much arrives if I cash out 50; preview withdrawal
list_withdrawals: status of my withdrawals; is my payout sent
list_payout_addresses: where may my payouts go; my whitelisted addresses
cancel_withdrawal: undo payout request; cancel payout
get_job: status of job_id; result of background request
`);
