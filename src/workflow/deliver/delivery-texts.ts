import type { Cue } from "../../core/cue.ts";
import type { DialogueLine } from "../../core/dialogue.ts";
import { spokenCues } from "../../core/direction.ts";
import type { DuckGlide } from "../../core/duck-plan.ts";
import { defined } from "../../core/objects.ts";
import type { FrameGrid, TextFormat } from "../../core/settings.ts";
import { parseTimecode, timecodeAt } from "../../core/timecode.ts";
import { type CueHolder, cueLosses } from "../../formats/conversion-losses.ts";
import { SERVICE_FORMATS, writeCues } from "../../formats/service-formats.ts";
import { TABLE_LACKS, writeCsv } from "../../formats/table/cue-table.ts";
import { writeDapt } from "../../formats/ttml/write-dapt.ts";
import type { Result } from "../../result/result.ts";
import { disclosureOf, type NarrationVoice } from "./delivery-manifest.ts";
import { deliveryName } from "./delivery-name.ts";
import type { DeliveryPreset, DeliveryText } from "./delivery-preset.ts";
import { type DeliveryLeader, soundLeader } from "./delivery-sound.ts";
import type { TextFile } from "./result-files.ts";
import { scriptPage } from "./script-page.ts";

/** What a delivery is made of, whoever writes it. */
export interface DeliveryOrder {
  readonly cues: readonly Cue[];
  /** From where the programme begins. */
  readonly grid: FrameGrid;
  readonly title: string;
  /** BCP-47 code. */
  readonly language: string;
  readonly preset: DeliveryPreset;
  readonly origin: Result | null;
  readonly voice: NarrationVoice;
  /** Whether sound is delivered too: else the texts are a script that is still to be spoken. */
  readonly isSpoken: boolean;
  /** Whether the narration is delivered as one sound on the cues' clock, so that a text can refer to its stretches. */
  readonly refersToNarration: boolean;
  /** How the programme is lowered for the narration, on the programme clock; absent where nobody measured both. */
  readonly glides?: readonly DuckGlide[];
  /** What is said in the programme, in order of time; absent where nothing tells. */
  readonly dialogue?: readonly DialogueLine[];
  /** ISO 8601, in UTC. */
  readonly createdAt: string;
  /** The recipient's or the house's own number of the programme; absent where none was given. */
  readonly reference?: string;
  /** What stands before the programme in the sounds; absent for nothing. */
  readonly leader?: DeliveryLeader;
}

/** A text of a delivery, and what its format cannot hold, in sentences without full stop. */
export interface DeliveryTextFile extends TextFile {
  readonly losses: readonly string[];
}

/**
 * Endings of the texts, and what their formats cannot hold: the page has no format of cues, WebVTT and DAPT hold all. Of table and DAPT the
 * writers alone come along, because the panel holds no reader of either.
 */
const TEXTS: Readonly<
  Record<Exclude<DeliveryText, "script">, { readonly ending: string; readonly holder: CueHolder }>
> = {
  vtt: { ending: "vtt", holder: {} },
  srt: { ending: "srt", holder: SERVICE_FORMATS.srt },
  edl: { ending: "edl", holder: SERVICE_FORMATS.edl },
  csv: { ending: "csv", holder: { lacks: TABLE_LACKS } },
  dapt: { ending: "dapt.xml", holder: {} },
};

/** The texts of a delivery, in the order of its preset. */
export function deliveryTexts(order: DeliveryOrder): DeliveryTextFile[] {
  const { cues, grid, title, language, preset, voice, isSpoken, dialogue } = order;
  return preset.texts.map((kind) => {
    if (kind === "script") {
      const labelAt = (seconds: number) => timecodeAt(order.grid, seconds);
      const note = isSpoken ? { note: disclosureOf(voice) } : {};
      const text = scriptPage(cues, { title, language, labelAt, ...note, ...defined({ dialogue }) });
      return { name: deliveryName(order, "script", "html"), text, losses: [] };
    }
    const { ending, holder } = TEXTS[kind];
    const losses = cueLosses({ cues, extras: [], language }, holder, grid);
    return {
      name: deliveryName(order, "descriptions", ending),
      text: written(order, kind),
      losses: losses.map(({ message, count }) => `${message} (${count})`),
    };
  });
}

function written(order: DeliveryOrder, kind: Extract<TextFormat, "vtt" | "srt" | "edl"> | "csv" | "dapt"): string {
  const { grid, title, language, isSpoken, refersToNarration, glides } = order;
  if (kind === "csv") return writeCsv(order.cues);
  const cues = spokenCues(order.cues);
  if (kind !== "dapt") return writeCues(cues, kind, { grid, title, language });
  return writeDapt(cues, {
    language,
    title,
    grid,
    scriptType: isSpoken ? "asRecorded" : "preRecording",
    ...(refersToNarration
      ? {
          recording: { name: deliveryName(order, "narration", "wav"), offsetSeconds: soundLeader(order)?.seconds ?? 0 },
        }
      : {}),
    ...defined({ glides }),
  });
}

/** The grid of a programme that starts at a timecode; as it is without one; `null` for what is none at its rate. */
export function gridStartingAt(
  { rate, isDropFrame, startFrame }: FrameGrid,
  label: string | undefined,
): FrameGrid | null {
  const grid = { rate, isDropFrame, startFrame };
  if (label === undefined) return grid;
  const parsed = parseTimecode(label, grid, { dropped: "next" });
  return parsed.ok ? { ...grid, startFrame: parsed.frame } : null;
}
