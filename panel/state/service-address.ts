import { isLocalAddress } from "../../src/core/ports.ts";

/** A service, as far as the panel needs to know it. */
export interface Service {
  readonly address: string;
  /** Most minutes of one video that the plan allows, where the editor knows it. */
  readonly planMinutes?: number;
}

/** Host and port of an address, for people; the address itself where it is none. */
export function hostNameOf(address: string): string {
  return /^https?:\/\/(?:[^/@]*@)?([^/?#]+)/i.exec(address.trim())?.[1] ?? address;
}

/** What is wrong with an address, so that it can be said beside the field; `null` when it can be tried. */
export function addressFault(address: string): "missing" | "malformed" | "unencrypted" | null {
  const trimmed = address.trim();
  if (trimmed === "") return "missing";
  if (!/^https?:\/\/[^\s/@?#]+(?:\/[^\s?#]*)?$/i.test(trimmed)) return "malformed";
  return /^http:/i.test(trimmed) && !isLocalAddress(trimmed) ? "unencrypted" : null;
}

/** A key as it is shown: its last four characters; nothing of a key that is short. */
export function maskedKey(key: string): string {
  return `••••••••${key.length >= 12 ? key.slice(-4) : ""}`;
}

/**
 * Which side of a panel and a service has to be updated: they fit while the first two numbers of their versions are the same.
 * `null` where they fit, or one does not say its version.
 */
export function outdatedSide(panel: string, companion: string): "panel" | "companion" | null {
  const [ours, theirs] = [panel, companion].map((version) => /^(\d+)\.(\d+)\b/.exec(version));
  if (!ours || !theirs) return null;
  const difference = Number(ours[1]) - Number(theirs[1]) || Number(ours[2]) - Number(theirs[2]);
  return difference === 0 ? null : difference < 0 ? "panel" : "companion";
}
