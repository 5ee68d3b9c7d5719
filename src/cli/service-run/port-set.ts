import { USUAL_PORT } from "../../contract/pairing.ts";
import type { RecordsOptions } from "../../service/admin/open-administration.ts";

/** The port that is set for a service, else the usual one. @throws SettingsError where what is set cannot be used. */
export async function portSet(records: RecordsOptions): Promise<number> {
  // Loaded here alone: help and version start without the service.
  const { settingsOf } = await import("../../service/admin/open-administration.ts");
  return (await settingsOf(records).port()) ?? USUAL_PORT;
}
