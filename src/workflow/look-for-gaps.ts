import { speechFromCaptions } from "../core/caption-speech.ts";
import { confidentRanges } from "../core/gap.ts";
import type { Heard } from "../core/heard.ts";
import type { GivenCaptions } from "../core/settings.ts";
import type { TimeRange } from "../core/time-range.ts";
import { type GapMap, mapGaps } from "./gap-map.ts";
import { readGivenTexts } from "./given-texts.ts";

/** What tells where somebody speaks in a programme, without anything being sent away or paid. */
export interface GapPorts {
  /** What is said, from the transcripts of the host; `null` where there is none. */
  transcript(): Promise<GivenCaptions | null>;
  /**
   * What is heard, on this computer; `null` where nobody can listen, or need not.
   *
   * @param isNeeded Whether nothing else tells where somebody speaks; music is known to nothing else.
   */
  listen(isNeeded: boolean): Promise<Pick<Heard, "speech" | "music"> | null>;
}

/** What counts as a gap. */
export interface GapRules {
  /** Pauses under music count. */
  readonly allowsOverMusic: boolean;
  /** Pauses shorter than this stay empty, in seconds. */
  readonly minimumCueSeconds: number;
}

/** What a programme sounds like, as far as gaps go. Times are seconds on its own clock. */
export interface FoundSound {
  readonly basis: "captions" | "transcript" | "sound";
  readonly durationSeconds: number;
  readonly speech: readonly TimeRange[];
  /** `null` when nobody listened. */
  readonly music: readonly TimeRange[] | null;
}

/** How sure the detector must be of speech, and of music. */
const CONFIDENCE = 0.5;

/**
 * Finds where somebody speaks in a programme by the best that is there: captions, else a transcript, else what is heard.
 *
 * @param programme With captions of it, on its own clock: they count more than what is heard.
 * @returns `null` when nothing tells where somebody speaks.
 * @throws WorkflowError `captions_unreadable`.
 */
export async function findSound(
  ports: GapPorts,
  { durationSeconds, captions: given }: { readonly durationSeconds: number; readonly captions?: GivenCaptions },
): Promise<FoundSound | null> {
  const captions = given ?? (await ports.transcript());
  const heard = await ports.listen(captions === null);
  if (captions === null && heard === null) return null;
  const said = captions === null ? undefined : readGivenTexts({ captions }).captions;
  return {
    basis: given !== undefined ? "captions" : captions !== null ? "transcript" : "sound",
    durationSeconds,
    speech: said === undefined ? confidentRanges(heard?.speech ?? [], CONFIDENCE) : speechFromCaptions([], said),
    music: heard === null ? null : confidentRanges(heard.music, CONFIDENCE),
  };
}

/** Maps the pauses of a programme; without having listened, music is taken to be nowhere. */
export function gapsIn({ durationSeconds, speech, music }: FoundSound, rules: GapRules): GapMap {
  const { allowsOverMusic, minimumCueSeconds } = rules;
  return mapGaps({ durationSeconds, speech, music: music ?? [], allowsOverMusic, minimumCueSeconds });
}
