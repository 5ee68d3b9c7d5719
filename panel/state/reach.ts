import { isLocalAddress } from "../../src/core/ports.ts";
import type { PanelState } from "./panel-state.ts";
import { hostsSentTo } from "./service-settings.ts";

/** Where the work of the service in use is done, as far as that is known. */
export type ServiceReach =
  /** Elsewhere: the export is sent there. */
  | { readonly kind: "hosted" }
  /** On this computer, and the hosts that are sent something from there. */
  | { readonly kind: "known"; readonly hosts: readonly string[] }
  /** On this computer, by a service that does not say what it sends. */
  | { readonly kind: "here" }
  /** On this computer, where nothing runs, or does not answer; or nobody has asked yet. */
  | { readonly kind: "off" | "silent" | "untried" };

/** Tells where the work is done. Nothing is said of a service that has not answered. */
export function reachOf({
  service: { address },
  serviceSettings,
  answered,
  companion,
  shownKey,
}: Pick<PanelState, "service" | "serviceSettings" | "answered" | "companion" | "shownKey">): ServiceReach {
  if (!isLocalAddress(address)) return { kind: "hosted" };
  const isThere = answered?.address === address ? answered.isThere : null;
  const isKnown = companion !== null || shownKey !== null;
  if (isThere === false) return { kind: isKnown ? "silent" : "off" };
  if (serviceSettings?.address === address) return { kind: "known", hosts: hostsSentTo(serviceSettings) };
  if (isThere === true) return { kind: "here" };
  return { kind: isKnown ? "untried" : "off" };
}
