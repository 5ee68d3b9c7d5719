import { DOUBTED_BELOW, speechFromCaptions } from "../../core/caption-speech.ts";
import { confidentRanges } from "../../core/gap.ts";
import type { Heard } from "../../core/heard.ts";
import type { GivenCaptions } from "../../core/settings.ts";
import { readGivenTexts } from "../describe/given-texts.ts";
import type { FoundSound } from "./gap-map.ts";

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

/**
 * Finds where somebody speaks in a programme: by captions, else a transcript, and by what is heard. Captions refine what was
 * heard and never replace it, as in a job; where nobody listened they stand alone.
 *
 * @param programme With captions of it, on its own clock: they go before a transcript.
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
  const music = heard === null ? null : confidentRanges(heard.music);
  return {
    basis: given !== undefined ? "captions" : captions !== null ? "transcript" : "sound",
    durationSeconds,
    speech:
      said === undefined
        ? (heard?.speech ?? []).filter(({ confidence }) => confidence >= DOUBTED_BELOW.alone)
        : speechFromCaptions(heard?.speech ?? [], said, { music: music ?? [] }),
    music,
  };
}
