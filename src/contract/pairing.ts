import { operatingSystem } from "../core/operating-system.ts";
import { isLocalAddress } from "../core/ports.ts";

/** Raised when the meaning of the file changes. */
const PAIRING_VERSION = 1;

/** Name of the file by which a panel finds the service of its own user on its own computer. */
const PAIRING_FILE = "companion.json";

/** Port of a service that stands alone, where nobody says another one. A panel looks there first. */
export const USUAL_PORT = 8420;

/** What a service that runs for one user leaves for that user's panel, as long as it runs. */
export interface Pairing {
  /** Address of the service on this computer. */
  readonly address: string;
  /** A key that ends with the service. */
  readonly key: string;
  /** Version of the program that runs it. */
  readonly version: string;
  /** Its process. */
  readonly pid: number;
  /** Where the process takes commands of its user, such as to end. Absent in files of earlier versions. */
  readonly channel?: string;
}

/**
 * Where the file of a user stands: the folder of the product by the custom of the system, whatever variables say, because a
 * panel knows none.
 *
 * @param home The user's home folder. @param platform As Node or UXP names it.
 */
export function pairingPath(home: string, platform: string): string {
  const system = operatingSystem(platform);
  if (system === "windows") return `${home}\\AppData\\Local\\Aside\\${PAIRING_FILE}`;
  const folder = system === "mac" ? "Library/Application Support/Aside" : ".local/share/aside";
  return `${home}/${folder}/${PAIRING_FILE}`;
}

/** The text of the file. */
export function formatPairing(pairing: Pairing): string {
  return `${JSON.stringify({ pairing: PAIRING_VERSION, ...pairing }, null, 2)}\n`;
}

/** Reads the text of a file; `null` for anything else, and for an address that is not this computer's. */
export function readPairing(text: string): Pairing | null {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof read !== "object" || read === null || !("pairing" in read) || read.pairing !== PAIRING_VERSION)
    return null;
  const { address, key, version, pid, channel } = read as { [Name in keyof Pairing]?: unknown };
  if (typeof address !== "string" || !isLocalAddress(address)) return null;
  if (typeof key !== "string" || key === "" || typeof version !== "string" || typeof pid !== "number") return null;
  return { address, key, version, pid, ...(typeof channel === "string" ? { channel } : {}) };
}

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
