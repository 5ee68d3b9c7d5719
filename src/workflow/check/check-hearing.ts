import type { JobFinding, LineDoubt } from "../../contract/job.ts";
import type { Cue } from "../../core/cue.ts";
import { type DialogueLine, sungRanges } from "../../core/dialogue.ts";
import type { Finding } from "../../core/finding.ts";
import { defined } from "../../core/objects.ts";
import { foldedWords } from "../../core/text.ts";
import { rangeDuration } from "../../core/time-range.ts";

const SONGS_SOURCE = "the captions: lines with a music sign";

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
    source: SONGS_SOURCE,
  }));
}

const DOUBTS_SOURCE = "the describer's own second look at the pictures";

/**
 * Finds descriptions that their writer was not sure of, so that a person looks at them first. Lines are told apart by
 * their words: a cue that an editor has changed since is the editor's.
 */
export function checkDoubts(cues: readonly Cue[], doubts: readonly LineDoubt[]): Finding[] {
  const byWords = new Map(doubts.map((doubt) => [foldedWords(doubt.said), doubt]));
  return cues.flatMap((cue): Finding[] => {
    const doubt = byWords.get(foldedWords(cue.text));
    if (doubt === undefined) return [];
    const why = doubt.why === "" ? "" : `: ${doubt.why}`;
    return [
      {
        rule: "unsure",
        severity: "warn",
        cueIds: [cue.id],
        message: `the model is not sure that the picture shows this${why}`,
        measured: doubt.confidence,
        source: DOUBTS_SOURCE,
      },
    ];
  });
}

/** What the service found of its own work, each with the cue that it is about; of a cue that is not there any more, with its place. */
export function checkToldFindings(cues: readonly Cue[], told: readonly JobFinding[]): Finding[] {
  const idsOf = (said: string) =>
    cues.filter(({ text }) => foldedWords(text) === foldedWords(said)).map(({ id }) => id);
  return told.map(({ rule, severity, message, said, start, end }) => ({
    rule,
    severity,
    cueIds: said === undefined ? [] : idsOf(said),
    message,
    ...defined({ range: start === undefined || end === undefined ? undefined : { start, end } }),
    source: "the service's look at its own work",
  }));
}
