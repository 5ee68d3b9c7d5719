import type { Finding } from "../../src/core/finding.ts";

/** A sign for each severity, so that nothing is said by colour alone. */
export function signOf({ severity }: Finding): string {
  return severity === "fail" ? "✕" : severity === "warn" ? "⚠" : "ℹ";
}
