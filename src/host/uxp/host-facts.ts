import type { UxpRuntime } from "./runtime.ts";

/** What the host tells of itself, each as it is told; any of it may be missing. */
interface ToldByHost {
  /** Versions of UXP, of the plugin and of the application. */
  readonly uxp?: unknown;
  readonly plugin?: unknown;
  readonly host?: unknown;
  readonly applicationPath?: unknown;
}

/** Versions, which may be nothing, and since 26.5 where the application lies. */
export function hostFacts({
  uxp,
  plugin,
  host,
  applicationPath,
}: ToldByHost): Pick<UxpRuntime, "versions" | "applicationPath"> {
  return {
    versions: { uxp: told(uxp), plugin: told(plugin), host: told(host) },
    ...(typeof applicationPath === "string" && applicationPath !== "" ? { applicationPath } : {}),
  };
}

function told(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : "not told";
}
