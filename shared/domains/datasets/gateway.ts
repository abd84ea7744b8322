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
   * and drops it.
   */
  checkMysql(server: MysqlDelivery, trial: MysqlUser): Promise<CheckFault | null>;
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

interface FtpFacts {
  /** Size of the file; null: a folder. */
  readonly size_bytes: number | null;
}

/** The reason of a failure, in words for the seller. */
export interface CheckFault {
  readonly fault: string;
}
