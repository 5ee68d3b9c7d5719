import { speechFromCaptions } from "../core/caption-speech.ts";
import { confidentRanges } from "../core/gap.ts";
import type { Heard } from "../core/heard.ts";
import type { GivenCaptions } from "../core/settings.ts";
import { type GapMap, mapGaps } from "./gap-map.ts";
import { readGivenTexts } from "./given-texts.ts";

/** What tells where somebody speaks in a programme, without anything being sent or paid. */
export interface GapPorts {
  /** What is said, from the transcripts of the host; `null` where there is none. */
  transcript(): Promise<GivenCaptions | null>;
  /** What is heard, on this computer; `null` where nobody can listen. */
  listen(): Promise<Pick<Heard, "speech" | "music"> | null>;
}

/** What is looked for. */
export interface GapOrder {
  readonly durationSeconds: number;
  /** Captions of the programme, on its own clock: they count more than what is heard. */
  readonly captions?: GivenCaptions;
  /** Pauses under music count. */
  readonly allowsOverMusic: boolean;
  /** Pauses shorter than this stay empty, in seconds. */
  readonly minimumCueSeconds: number;
}

/** A gap map, and what it was made from. */
export interface FoundGaps {
  readonly basis: "captions" | "transcript" | "sound";
  readonly map: GapMap;
}

/** How sure the detector must be of speech, and of music. */
const CONFIDENCE = 0.5;

/**
 * Maps the pauses of a programme from the best that is there: captions, else a transcript, else what is heard.
 *
 * @returns `null` when nothing tells where somebody speaks.
 * @throws WorkflowError `captions_unreadable`.
 */
export async function lookForGaps(ports: GapPorts, order: GapOrder): Promise<FoundGaps | null> {
  const captions = order.captions ?? (await ports.transcript());
  const heard = await ports.listen();
  if (captions === null && heard === null) return null;
  const said = captions === null ? undefined : readGivenTexts({ captions }).captions;
  return {
    basis: order.captions !== undefined ? "captions" : captions !== null ? "transcript" : "sound",
    map: mapGaps({
      durationSeconds: order.durationSeconds,
      speech: said === undefined ? confidentRanges(heard?.speech ?? [], CONFIDENCE) : speechFromCaptions([], said),
      music: confidentRanges(heard?.music ?? [], CONFIDENCE),
      allowsOverMusic: order.allowsOverMusic,
      minimumCueSeconds: order.minimumCueSeconds,
    }),
  };
}
