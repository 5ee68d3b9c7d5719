import { fingerprintOf } from "../core/fingerprint.ts";
import { type MigratedResult, resultFromRecord } from "./migrate.ts";
import type { PlacedResult, Result } from "./result.ts";

/** What reading a record gives: the result as it was placed, or why there is none. */
export type RecordReading =
  | { readonly ok: true; readonly record: PlacedResult }
  | { readonly ok: false; readonly fault: "not-a-record" | "damaged" | "other-version" };

/**
 * What of a placed result travels with a project: markers can be read back, followed and voiced again on another computer.
 * What names places on this one, what every check makes anew, what is said in the film and what is known of it stay behind.
 */
export function portableRecord(record: PlacedResult): PlacedResult {
  const { audio: _, pieces: __, standing: ___, dialogue: ____, levels: _____, bible: ______, ...portable } = record;
  return { ...portable, findings: [], issues: [], notices: [] };
}

/** A record as text: its hash, a space, its JSON. */
export function writeRecord(record: PlacedResult): string {
  const json = JSON.stringify(record);
  return `${fingerprintOf(json)} ${json}`;
}

/** Reads what {@link writeRecord} wrote, in this version or an earlier one, and notices when a letter of it was changed. */
export function readRecord(text: string): RecordReading {
  const [, hash, json] = /^([0-9a-f]{16}) (\{[\s\S]*)/.exec(text) ?? [];
  if (hash === undefined || json === undefined) return { ok: false, fault: "not-a-record" };
  if (fingerprintOf(json) !== hash) return { ok: false, fault: "damaged" };
  // The hash says that this project wrote it; the version says with which meaning.
  const migrated: MigratedResult = resultFromRecord(JSON.parse(json));
  if (migrated === null) return { ok: false, fault: "other-version" };
  return isPlaced(migrated) ? { ok: true, record: migrated } : { ok: false, fault: "damaged" };
}

function isPlaced(result: Result): result is PlacedResult {
  return result.placed !== undefined;
}
