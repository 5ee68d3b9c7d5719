import type { DeliveryManifest } from "../../../../src/workflow/deliver/delivery-manifest.ts";
import type { PanelOnDoubles } from "../../open-panel.ts";

/** The bytes of a file on the panel's disk; none where there is no such file. */
export function bytesOf(panel: PanelOnDoubles, path: string): Uint8Array {
  return panel.disk.files.get(path) ?? new Uint8Array(0);
}

/** The manifest in a delivered folder. */
export function manifestIn(panel: PanelOnDoubles, folder: string): DeliveryManifest {
  return JSON.parse(new TextDecoder().decode(bytesOf(panel, `${folder}/manifest.json`)));
}
