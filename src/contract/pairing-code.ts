/** Seconds within which a code is to be typed. */
export const PAIRING_CODE_SECONDS = 300;

/** Digits of a code. */
export const PAIRING_CODE_DIGITS = 6;

/** `POST /home/desk/pairing-codes`: a code for a panel elsewhere, shown to the administrator who asked. */
export interface PairingCodeReply {
  readonly code: string;
  /** Seconds until it ends by itself. */
  readonly expires_seconds: number;
}

/** Reply of `POST /home/pair`: the only time that the key is known. */
export interface PairReply {
  readonly key: string;
  /** Names the key in the list of keys. */
  readonly key_id: string;
  /** Team that the key is of. */
  readonly team: string;
  /** Version of the service. */
  readonly version: string;
}
