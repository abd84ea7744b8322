import type { DocumentGateway } from '../connections/document_gateway.ts';
import type { DatasetGateway } from '../datasets/gateway.ts';
import type { CardGateway } from '../deposits/card/card_gateway.ts';
import type { DepositChain } from '../deposits/chain/deposit_chain.ts';
import type { ChainRail } from '../deposits/chain/networks.ts';
import type { AddressGateway } from '../deposits/wallets/address_gateway.ts';
import type { PriceGateway } from '../deposits/chain/price_gateway.ts';
import type { WalletGateway } from '../deposits/wallets/wallet_gateway.ts';
import type { MailGateway } from '../email/findings.ts';
import type { AuditGateway } from '../operators/audit_gateway.ts';
import type { ProxyGateway } from '../proxies/gateway.ts';
import type { TokenGateway } from '../tokens/token_gateway.ts';
import type { VerificationGateway } from '../verification/verification_gateway.ts';
import type { X402Gateway } from '../x402/gateway.ts';
import type { WebhookGateway } from '../webhooks/gateway.ts';
import type { PayoutGateway } from '../withdrawals/payout_gateway.ts';

/** The outside systems that gather may use, implemented in workers/gateways: one field each. */
export interface Gateways {
  readonly addresses: AddressGateway;
  readonly audit: AuditGateway;
  readonly card: CardGateway;
  /** The network of a rail that is on. */
  readonly chains: (rail: ChainRail) => DepositChain;
  /** Of Solana. */
  readonly collections: TokenGateway;
  readonly datasets: DatasetGateway;
  readonly documents: DocumentGateway;
  readonly mail: MailGateway;
  readonly payouts: PayoutGateway;
  readonly prices: PriceGateway;
  readonly proxies: ProxyGateway;
  /** Of Algorand. */
  readonly tokens: TokenGateway;
  readonly verification: VerificationGateway;
  readonly wallets: WalletGateway;
  readonly webhooks: WebhookGateway;
  readonly x402: X402Gateway;
}
