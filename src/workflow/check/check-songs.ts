import { sungRanges } from "../../core/caption-speech.ts";
import type { Finding } from "../../core/finding.ts";
import { rangeDuration } from "../../core/time-range.ts";
import type { DialogueLine } from "../../core/transcript.ts";

const SOURCE = "the captions: lines with a music sign";

/**
 * Announces each song that captions tell of. Its words are kept clear like speech; whether descriptions may lie over some of them
 * is for a person to say.
 */
export function checkSongs(dialogue: readonly DialogueLine[]): Finding[] {
  return sungRanges(dialogue).map((range) => ({
    rule: "song",
    severity: "note",
    cueIds: [],
    range,
    message: "a song is sung here, and its words are kept clear: say whether some of them may be described over",
    measured: rangeDuration(range),
    unit: "s",
    source: SOURCE,
  }));
}
