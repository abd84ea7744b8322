import type { DocumentGateway } from '../domains/connections/document_gateway.ts';
import type { DatasetGateway } from '../domains/datasets/gateway.ts';
import type { CardGateway } from '../domains/deposits/card/card_gateway.ts';
import type { DepositChain } from '../domains/deposits/chain/deposit_chain.ts';
import type { ChainRail } from '../domains/deposits/chain/networks.ts';
import type { AddressGateway } from '../domains/deposits/wallets/address_gateway.ts';
import type { PriceGateway } from '../domains/deposits/chain/price_gateway.ts';
import type { ProviderGateway } from '../domains/deposits/providers/provider_gateway.ts';
import type { WalletGateway } from '../domains/deposits/wallets/wallet_gateway.ts';
import type { MailGateway } from '../domains/email/findings.ts';
import type { MailerGateway } from '../domains/mail/mailer_gateway.ts';
import type { AuditGateway } from '../domains/operators/audit_gateway.ts';
import type { ProxyGateway } from '../domains/proxies/gateway.ts';
import type { TokenGateway } from '../domains/tokens/token_gateway.ts';
import type { VerificationGateway } from '../domains/verification/verification_gateway.ts';
import type { X402Gateway } from '../domains/x402/gateway.ts';
import type { WebhookGateway } from '../domains/webhooks/gateway.ts';
import type { PayoutGateway } from '../domains/withdrawals/payout_gateway.ts';

/** The outside systems that gather may use, implemented in workers/gateways: one field each. */
export interface Gateways {
  readonly addresses: AddressGateway;
  readonly audit: AuditGateway;
  readonly card: CardGateway;
  /** The network of a rail that is on. */
  readonly chains: (rail: ChainRail) => DepositChain;
  /** Collections on Solana. */
  readonly collections: TokenGateway;
  readonly datasets: DatasetGateway;
  readonly documents: DocumentGateway;
  /** Mail servers that are asked about addresses. */
  readonly mail: MailGateway;
  /** The operator's server that sends mails. */
  readonly mailer: MailerGateway;
  readonly payouts: PayoutGateway;
  readonly prices: PriceGateway;
  /** Limits of the providers of chains, and counts of questions to them. */
  readonly providers: ProviderGateway;
  readonly proxies: ProxyGateway;
  /** Tokens on Algorand. */
  readonly tokens: TokenGateway;
  readonly verification: VerificationGateway;
  readonly wallets: WalletGateway;
  readonly webhooks: WebhookGateway;
  readonly x402: X402Gateway;
}
