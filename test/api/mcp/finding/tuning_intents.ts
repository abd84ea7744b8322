/**
 * Intents in the words of different people, to tune find_operation on: a developer in a hurry, a
 * model that plans, an owner, a seller, a worker, somebody with little English, and the terms of
 * other products. They were written from the names of the operations, before any answer was seen.
 * A line names the operations that serve its intents.
 */
export const TUNING = intentsIn(`
search_assets: look for cheap office serials; find smart contract templates for an auction; i need
  api for translate text, you have?
list_products search_assets: browse the whole catalog; see all goods, no filter
list_products: show me evrything available
get_product: details of listing 812; is product 9 still in stock, who sells it; inspect sku 44
  before buying
prepare_purchase_payload: total including commission before I commit; dry run of checkout; preview
  the order without paying
purchase_product: checkout now; place an order for ten keys; i want buy this one please
get_orders: my purchase history; everything this account has bought; which things have I ordered
  so far
get_vault_item: download what I paid for; fetch delivered credentials of my purchase; where I see
  the code i bought
get_wallet: current funds; check account balance before planning spend; do I still have the
  welcome bonus
stripe_topup: add funds by credit card; top up via checkout page; load money on the account
set_auto_recharge: top up by itself whenever under 5 dollars; turn off autopay; never run out of
  balance again
proxy_info: statistics of the proxy network; are proxies available at all, without login; info
  about socks5 offering
proxy_countries: list of proxy locations; which geos are supported; country codes I may ask for
proxy_list: give me 50 US proxies; bulk export of IPs with offset; buy ten IPs from any place
proxy_fetch_one: get proxy 4711 again; look up one proxy's host and port; only one proxy, id known
proxy_my_key: my personal socks credential; reveal proxy key; connection string of my private
  proxy access
validate_email: verify that an address can receive mail; check email deliverability; test if mx
  exists for one address
email_quota: remaining validations; limit and price of mail verification; usage of email checker
algo_info algo_deposit: how does Algorand payment work here; which algo tokens do you accept and
  at what rate; algorand minimum deposit
algo_deposit: my Algorand deposit address
algo_deposit algo_info: how to send algos to you; crypto top up on algorand
algo_verify_deposit: confirm algorand transaction; claim the algorand transfer I made; check that
  algo payment came through
issue_asa: create a fungible token; deploy an ASA with 6 decimals; new asset on algorand, total
  supply 10000
solana_info: solana deposit address; fund with SOL, how; details for paying from phantom
solana_collection: the marketplace's NFT collection on Solana; collection address on solana;
  information on verified collection mint
solana_verify: confirm my SOL payment; I transferred USDC on solana, add to balance; solana tx
  check
solana_metadata: nft metadata json of product 5; on-chain attributes of product as solana nft;
  solana metadata of product
evm_info: deposit address on Base; which evm chains do you take; arbitrum payment details
evm_abi: ABI of the smart contract; solidity interface; contract functions and events
evm_verify: confirm ethereum payment; I paid with USDC on base, please credit; claim an ERC20
  transfer
task_browse: open jobs for agents; gigs in category writing; what tasks are available
task_post: hire an agent to write code; create task with escrow; outsource a piece of work
task_bid: make an offer on task 12; propose my price for the job; i can do this work for 8 dollars
task_submit: hand in my finished work; upload result for client to review; task is done, here the
  answer
task_approve: accept the work and pay the worker; the result is good, release the money; approve
  submission
task_mine: tasks I posted or work on; status of all my gigs; list my own tasks and bids
list_labor_tasks: microtasks that pay; transcription jobs to do; browse labor board
take_labor_task: claim a labeling task; start working on labor job; grab a moderation unit
deliver_labor_task: submit my labels; send the answer of micro task; post the translation i made
  for the claim
list_datasets: which datasets are there; show data sets I could get; catalog of mysql and csv data
access_dataset get_vault_item: credentials of the dataset I bought; connect to the data
access_dataset: get FTP password for data set
register_agent: sign up; open account with email and password; join the marketplace
spawn_agent: create a child agent; new sub agent with read only permission; issue a restricted key
  for a worker bot
create_product: list a new item for sale; publish my api as a product
update_product: change price of my listing; unlist an item temporarily
my_products: what am I selling; see the products of my shop
add_stock: upload more serial keys; put extra inventory units
stock_status my_products: how many keys left to sell
stock_status: units remaining in stock
get_order: status of order 12
get_order get_orders: has order 9 been released
confirm_order: I received the goods, release escrow to seller; purchase works fine, finish it
refund_order: refund my customer; cancel a sale and repay buyer
dispute_order: product is broken, open a dispute; item not as described
respond_dispute: answer a buyer's dispute; reply to claim with evidence as seller
withdraw_dispute: close my dispute, it is solved; cancel the claim I opened
wallet_statement: transaction history; export bank statement
spend_report: spending by category; cost breakdown
sales_report: revenue from my products; best selling listing
list_deposits: pending crypto deposits
list_deposits wallet_statement: was my payment credited
link_wallet: connect my ethereum wallet; bind crypto wallet to my account
unlink_wallet: remove linked wallet address; detach phantom
tron_info: USDT TRC20 deposit address; where to send usdt
tron_verify: verify tron tx; confirm usdt trc20 payment
report_proxy: proxy does not work; complain about slow IP
rotate_proxy_key: new proxy password; change my proxy key
validate_emails: check many emails at once; validate a list of addresses
get_asa: status of my token deployment; asset id of issued token
list_asa: all tokens I issued; list of assets created by me
mint_nft: create an NFT; make a collectible
get_nft: state of my nft mint; who owns the nft I minted
create_solana_collection: make my own collection on solana; deploy collection for my products
get_task: details of task 77; what does this gig require
task_bids: offers on my task; compare proposals I received
task_accept_bid: choose a bidder; award the job to bid 4
task_submissions: work handed in for my task; read submitted solution
task_request_revision: ask for changes; request rework from the worker
task_reject: refuse the delivered work; decline submission
task_dispute: worker and I disagree about task; escalate task to arbitration
task_cancel: delete my open task and get budget back; withdraw job posting
post_labor_task: create labeling job for many workers; need 1000 texts translated by people
get_labor_task: details of a labor task; reward and deadline of labeling task
labor_claims: who is working on my microtasks; my open claims
labor_results: download finished labels; get annotations done so far
upload_labor_units: add more items to be labeled; append rows to labor job
judge_labor_claim: accept or reject a worker's labels; rate the annotation quality and pay
pause_labor_task: stop new claims for a while; resume paused micro task
cancel_labor_task: end labeling job and refund the rest; close crowd work early
labor_heartbeat: still working on my claim, need longer; extend time for labor claim
labor_release: give back a claimed micro task; return unit unfinished
labor_appeal task_dispute: my labels were rejected unfairly
labor_appeal: appeal rejected delivery
create_dataset: sell my data; offer mysql database for sale
rotate_dataset: change dataset password; reset mysql login of dataset
upload_dataset_rows: add rows to my dataset; append records into data set
agent_me: who am I; what permissions does this key have
list_children: my sub agents; list child agents
monitor_agent: watch what my bot does; supervise one of my agents
set_policy: limit spending of my agent; allow only datasets to be bought
suspend_agent: freeze a bot; stop my agent from spending
resume_agent: unfreeze bot; let the agent work again
list_approvals: purchases that wait for my ok; what needs my consent
cancel_approval: withdraw my approval request; take back request waiting for owner
decide_approval: approve purchase of my agent; say yes to pending spend
send_message: write to the seller; message another agent
list_messages: read conversation; chat history
inbox: what needs my attention
inbox list_events: anything new for me
list_events: activity feed
list_events inbox: what happened since yesterday
withdraw: pay out my earnings; transfer balance to my address
quote_withdrawal: fee of a withdrawal; payout cost estimate
list_withdrawals: payout history; earlier cash outs
list_payout_addresses: saved withdrawal addresses; known payout destinations
cancel_withdrawal: stop a pending withdrawal; do not send the cash out
get_job: poll an async job; my call returned pending, now what
`);

/** Reads lines of `operation other_operation: intent; intent`, continued by indented lines. */
export function intentsIn(text: string): readonly (readonly [intent: string, ...string[]])[] {
  return text
    .trim()
    .split(/\n(?! )/)
    .flatMap((line) => {
      const [names, intents] = line.split(': ');
      const words = intents!.replaceAll(/\s+/g, ' ');
      return words.split('; ').map((intent) => [intent, ...names!.split(' ')] as const);
    });
}
