import { join } from "node:path";
import type { SoundMeasure } from "../../../core/measures.ts";
import { defined } from "../../../core/objects.ts";
import { timecodeAt } from "../../../core/timecode.ts";
import { nodeFiles } from "../../../host/headless/files.ts";
import { VERSION } from "../../../service/version.ts";
import { checkReportData, checkReportPage } from "../../../workflow/check/check-report.ts";
import { checkResult } from "../../../workflow/check/check-result.ts";
import {
  checkDeliveredFiles,
  type DeliveredSound,
  type DeliveredText,
  demandsOf,
  loudnessRows,
  soundOf,
} from "../../../workflow/deliver/check-delivery.ts";
import { soundStartSeconds } from "../../../workflow/deliver/delivery-sound.ts";
import type { DeliverCall } from "./deliver-call.ts";

/** What checking a delivery gave. */
export interface DeliveryChecks {
  readonly verdict: "pass" | "warn" | "fail";
  readonly findings: ReturnType<typeof checkReportData>["findings"];
  /** What was not looked at, and why, in sentences without full stop. */
  readonly notChecked: readonly string[];
  /** Names of the reports that were written beside the files. */
  readonly reportFiles: readonly string[];
}

/** Checks the files of a delivery as they lie in their folder, and writes `report.html` and `report.json` beside them. */
export async function checkDelivery(
  call: DeliverCall,
  made: {
    readonly texts: readonly { readonly name: string; readonly text?: string }[];
    readonly sounds: readonly DeliveredSound[];
    /** What was measured of the programme, where it is there. */
    readonly programme?: SoundMeasure;
    readonly folder: string;
  },
): Promise<DeliveryChecks> {
  const { preset, cues, captions, grid } = call;
  const { texts, sounds, programme, folder } = made;
  const channels = call.programme?.audioChannels ?? 0;
  const [narration, mix] = [soundOf(sounds, "narration")?.measure, soundOf(sounds, "mix")?.measure];
  const result = checkResult({
    cues,
    type: call.isExtended ? "extended" : "standard",
    profile: preset.profile,
    ...defined({ programme, narration, mix }),
    ...(captions === null ? {} : { speech: captions }),
  });
  const ofFiles = checkDeliveredFiles(preset, {
    sounds,
    texts: texts.flatMap(({ name, text }): DeliveredText[] => (text === undefined ? [] : [{ name, text }])),
    startSeconds: soundStartSeconds(call),
    ...(programme === undefined ? {} : { programme: { durationSeconds: programme.durationSeconds, channels } }),
  });
  const checked = { ...result, findings: [...ofFiles, ...result.findings] };
  const labelAt = (seconds: number) => timecodeAt(grid, seconds);
  const page = {
    title: `${call.title} (${preset.name})`,
    language: call.language,
    checkedAt: new Date().toISOString(),
    version: VERSION,
    files: [...texts, ...sounds].map(({ name }) => name),
    levels: (programme ?? mix ?? narration)?.levels ?? [],
    labelAt,
    demands: demandsOf(preset),
    loudness: loudnessRows(preset, sounds),
  };
  const data = checkReportData(checked, page);
  const reports = {
    "report.json": `${JSON.stringify(data, null, 2)}\n`,
    "report.html": checkReportPage(checked, page),
  };
  for (const [name, text] of Object.entries(reports)) await nodeFiles.writeText(join(folder, name), text);
  return {
    verdict: data.verdict,
    findings: data.findings,
    notChecked: notChecked(call),
    reportFiles: Object.keys(reports),
  };
}

function notChecked({ media, captions, narration, mix }: DeliverCall): string[] {
  const isSpeechKnown = media !== undefined || captions !== null;
  return [
    ...(isSpeechKnown ? [] : ["whether descriptions lie over speech: give --media or --captions"]),
    ...(media === undefined ? ["lengths against the picture: give --media"] : []),
    ...(narration === undefined ? ["when each description is heard: give --audio"] : []),
    ...(mix === undefined ? ["the level of the narration in the mix: give --mix"] : []),
    "whether descriptions are true of the picture: a person has to look",
  ];
}
