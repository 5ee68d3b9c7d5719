import type { SequenceInfo } from "../../src/host/host.ts";
import { type FoundSound, type GapMap, gapsIn } from "../../src/workflow/gaps/gap-map.ts";
import { type Form, rangeOf } from "./form.ts";
import type { JobEntry } from "./saved.ts";

/** What was found of the sound, and for which sequence and range. */
export interface GapLook extends FoundSound {
  readonly place: string;
  /** The place, and the captions that were chosen. */
  readonly key: string;
}

/** What a look for pauses is asked about. */
interface GapQuestion {
  readonly form: Form;
  readonly sequence: SequenceInfo | null;
}

/** What was found so far; `null` until somebody looked. */
interface GapsFound {
  readonly gaps: GapLook | null;
}

/** What the pauses offer by the settings as they are. */
export interface ShownGaps extends FoundSound {
  readonly map: GapMap;
  /** Sequence time of the start of what was looked at, in seconds. */
  readonly offsetSeconds: number;
}

/** What was found, as long as it is about what the form asks for. */
export function shownGaps(state: GapQuestion & GapsFound): ShownGaps | null {
  const { gaps, form, sequence } = state;
  if (gaps === null || sequence === null || gaps.key !== gapKeys(state).key) return null;
  return { ...gaps, map: gapsIn(gaps, form.settings), offsetSeconds: rangeOf(form, sequence).start };
}

/** What was heard in the range that a job is about, where somebody listened. */
export function heardBefore(
  { gaps }: GapsFound,
  job: Pick<JobEntry, "form" | "sequence">,
): (Pick<FoundSound, "speech"> & { readonly music: NonNullable<FoundSound["music"]> }) | null {
  if (gaps === null || gaps.music === null || gaps.place !== placeOf(job)) return null;
  return { speech: gaps.speech, music: gaps.music };
}

/** What a look is about, as {@link GapLook} keeps it. */
export function gapKeys(asked: GapQuestion): Pick<GapLook, "place" | "key"> {
  const { captionSource, captionFile } = asked.form;
  const place = placeOf(asked);
  return { place, key: [place, captionSource, captionFile?.filename].join(" ") };
}

function placeOf({ form, sequence }: GapQuestion): string {
  const range = sequence === null ? [] : Object.values(rangeOf(form, sequence));
  return [sequence?.id, ...range].join(" ");
}
