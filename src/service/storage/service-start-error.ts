import { AudioDescriptionError } from "../../core/error.ts";

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
