import type { AccessCause } from '../products/dataset/access.ts';
import type { FtpDelivery } from './ftp_delivery.ts';
import type { MysqlDelivery, MysqlUser } from './mysql_delivery.ts';

/**
 * Access to the servers from which sellers deliver datasets; workers/gateways/datasets implements
 * it. A failure is returned as an answer: no method rejects.
 */
export interface DatasetGateway {
  /** Fetches the file at this URL once. */
  fetchUrl(url: string): Promise<FileFacts | CheckFault>;
  /** Logs in once and starts the transfer of the folder or file at the path. */
  checkFtp(server: FtpDelivery): Promise<FtpFacts | CheckFault>;
  /**
   * Checks that users who read the tables can be made, log in and be dropped: makes a trial user,
   * and drops it while it has a session. Warns if that session goes on.
   */
  checkMysql(server: MysqlDelivery, trial: MysqlUser): Promise<CheckFault | MysqlFacts>;
  /**
   * Creates or updates the user. Null: it can log in now. If an earlier version may have given it
   * more, it loses everything first.
   */
  createUser(
    server: MysqlDelivery,
    wanted: { user: MysqlUser; mayHaveMore: boolean },
  ): Promise<CheckFault | null>;
  /**
   * Drops the user, if any, and ends its sessions. Until then it has the password named here, which
   * its buyer must not know. Null: it cannot log in any more, and has no session.
   */
  dropUser(server: MysqlDelivery, user: MysqlUser): Promise<CheckFault | null>;
}

export interface FileFacts {
  readonly size_bytes: number;
  readonly sha256: string;
  readonly content_type: string | null;
}

interface MysqlFacts {
  /** Advice to the seller about a version that passed. */
  readonly warning?: string;
}

interface FtpFacts {
  /** Size of the file; null: a folder. */
  readonly size_bytes: number | null;
}

/** The reason of a failure. */
export interface CheckFault {
  /** Words for the seller, maybe those of its server. */
  readonly fault: string;
  /** Its kind, which says in our words to buyers why they are not let in. */
  readonly cause?: AccessCause;
}
