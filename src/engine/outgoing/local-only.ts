import { isLocalAddress } from "../../core/ports.ts";
import { isSwitchedOn } from "../../core/settings.ts";

/** Variable that says whether anything may leave this computer: `on` forbids it. */
export const LOCAL_ONLY = "ASIDE_LOCAL_ONLY";

/** Whether nothing may leave this computer: no server elsewhere is asked, and nothing is fetched. */
export function isLocalOnly(environment: Environment): boolean {
  return isSwitchedOn(environment[LOCAL_ONLY] ?? "") === true;
}

/** Why a server may not be asked: it is elsewhere, and nothing may leave this computer; `null` where it may. */
export function elsewhereRefused(environment: Environment, address: string): string | null {
  if (!isLocalOnly(environment) || isLocalAddress(address)) return null;
  return `${LOCAL_ONLY} lets nothing leave this computer, and ${URL.canParse(address) ? new URL(address).host : "that server"} is elsewhere`;
}

/** Environment variables by name, as a process has them or a test gives them. */
export type Environment = Readonly<Record<string, string | undefined>>;
