import type { FtpDelivery } from './ftp_delivery.ts';
import type { MysqlDelivery, MysqlUser } from './mysql_delivery.ts';

/**
 * Our side of what sellers deliver datasets from; workers/gateways/datasets implements it. What
 * goes wrong is an answer too: nothing of it rejects.
 */
export interface DatasetGateway {
  /** Fetches the file at this URL once. */
  fetchUrl(url: string): Promise<FileFacts | CheckFault>;
  /** Logs in once, and has the server begin to send what is at the path: a folder or a file. */
  checkFtp(server: FtpDelivery): Promise<FtpFacts | CheckFault>;
  /** Whether a user could be made there who may read the tables: makes one, and drops it. */
  checkMysql(server: MysqlDelivery, trial: MysqlUser): Promise<CheckFault | null>;
  /** Makes the user, or makes it what it should be. Null: it may log in now. */
  createUser(server: MysqlDelivery, user: MysqlUser): Promise<CheckFault | null>;
  /** Drops the user, if there is one, and ends its sessions. Null: it may not log in any more. */
  dropUser(server: MysqlDelivery, user: Pick<MysqlUser, 'username'>): Promise<CheckFault | null>;
}

export interface FileFacts {
  readonly size_bytes: number;
  readonly sha256: string;
  readonly content_type: string | null;
}

export interface FtpFacts {
  /** Null: it is a folder. */
  readonly size_bytes: number | null;
}

/** Why it could not be done, or did not pass, as its seller may read it. */
export interface CheckFault {
  readonly fault: string;
}
