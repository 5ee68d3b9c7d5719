import { AudioDescriptionError } from "../../core/error.ts";

/**
 * The records are out of reach just now: their server restarts, takes no more connections, or the network is gone. Whether
 * what was asked for was done is open. What comes a moment later may be answered.
 */
export class RecordsAwayError extends Error {
  override readonly name = "RecordsAwayError";
}

/** Statements against the records. Every value goes as a parameter (`$1`), never into the text. */
export interface Queries {
  /** Runs one statement and returns its rows. The caller states their shape, which the statement's own columns decide. */
  query<Row extends object = Record<string, unknown>>(statement: string, values?: readonly unknown[]): Promise<Row[]>;
}

/**
 * The records: a Postgres, embedded in the process or a server of its own. Both speak the same SQL, so everything above
 * this port is written once. Every method may raise {@link RecordsAwayError} where they are on a server.
 */
export interface Database extends Queries {
  /** `embedded`: this process alone has it open. `server`: other processes and hosts may share it. */
  readonly kind: "embedded" | "server";
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. Transactions do not nest. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Runs a script of several statements without parameters. */
  script(statements: string): Promise<Record<string, unknown>[]>;
  /** Does `work` while no other process does work under the same number. */
  exclusively<T>(lock: number, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Why a service could not be started or stopped. */
export type ServiceStartErrorCode =
  /** Another process has the data folder open. */
  | "data_folder_in_use"
  /** The data folder cannot be made or written. */
  | "data_folder_unusable"
  /** The configuration cannot be read or says something impossible. */
  | "configuration_invalid"
  /** The records were written by a newer version of this program. */
  | "records_too_new"
  /** The records cannot be opened. */
  | "records_unusable"
  /** The disk has no room for the records to be opened. */
  | "disk_full"
  /** The store of media and results names other records as those it belongs to. */
  | "store_of_other_records"
  /** The address cannot be listened on. */
  | "address_unusable";

/** The service cannot start; `message` says what stands in the way and what to do about it. */
export class ServiceStartError extends AudioDescriptionError<ServiceStartErrorCode> {}
