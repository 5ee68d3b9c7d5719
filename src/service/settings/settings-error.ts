import { AudioDescriptionError } from "../../core/error.ts";

/** Why settings could not be read or changed. */
export type SettingsErrorCode =
  /** There is no setting of that name. */
  | "setting_unknown"
  /** What was said cannot be used: nothing was changed. */
  | "setting_refused"
  /** It names a program or a file of the service's computer, and may be set there alone. */
  | "setting_of_its_computer"
  /** A variable of the service's environment says it. */
  | "decided_by_environment"
  /** A key is in the system's key store, which does not give it. */
  | "key_store_unusable"
  /** The file holds no settings that this version knows. */
  | "settings_damaged"
  /** The file cannot be read or written. */
  | "settings_unusable";

/** Settings cannot be read or changed; `message` says why, and what to do. */
export class SettingsError extends AudioDescriptionError<SettingsErrorCode> {}
