import type { JobFinding } from "../../contract/job.ts";
import type { Cue } from "../../core/cue.ts";
import { MOST_DIALOGUE_LINES, songsOf, sungRanges } from "../../core/dialogue.ts";
import { confidentRanges } from "../../core/gap.ts";
import { defined } from "../../core/objects.ts";
import { type GivenCaptions, mayLieOverMusic } from "../../core/settings.ts";
import { overlapWithRanges } from "../../core/time-range.ts";
import { type FilmReading, heldBackReason, readCues } from "../../formats/index.ts";
import { type Dialogue, dialogueOf } from "../dialogue/dialogue.ts";
import type { TaskContext } from "../isolate/message.ts";
import type { ProgrammeAnalysis } from "../programme-analysis.ts";
import type { ProgrammeOrder } from "../tasks/tasks.ts";
import { whileAsking } from "./stages.ts";

/** Captions that were given, as they can be meant of a film. */
interface ReadCaptions {
  readonly cues: readonly Cue[];
  readonly notes: readonly string[];
  readonly findings: readonly JobFinding[];
}

/** Captions as they can be meant of this film; where they cannot, or in several ways, none is used, and a finding says so. */
export function readCaptions(captions: GivenCaptions | undefined, film: FilmReading): ReadCaptions {
  if (captions === undefined) return { cues: [], notes: [], findings: [] };
  const { content, format, filename } = captions;
  const { cues, verdict, receipt } = readCues(content, {
    ...film,
    holds: "dialogue",
    ...defined({ format, filename }),
  });
  const why = heldBackReason(verdict);
  if (why !== null) {
    return {
      cues,
      notes: [],
      findings: [{ rule: "captions-held-back", severity: "fail", message: `the captions were not used: ${why}` }],
    };
  }
  return { cues, notes: receipt === undefined ? [] : [`Captions: ${receipt.facts.join("; ")}.`], findings: [] };
}

/**
 * What is said and sung in a job's programme. Notes and findings tell where the words come from, and of songs that no caption tells of.
 *
 * @param onProgress Share of the listening that is done, 0 to 1.
 * @throws As `dialogueOf`.
 */
export async function listen(
  order: ProgrammeOrder,
  context: TaskContext,
  heard: {
    readonly analysis: ProgrammeAnalysis;
    /** The sound tracks that are the programme's, where that is not for the file itself to say. */
    readonly tracks: readonly number[] | undefined;
    readonly captions: readonly Cue[];
  },
  onProgress: (fraction: number) => void,
): Promise<Dialogue & { readonly findings: readonly JobFinding[] }> {
  const { settings } = order;
  const { analysis, tracks, captions } = heard;
  const isOverMusic = mayLieOverMusic(settings);
  const { speech, music, dips, unknown } = analysis.heard;
  const isVoicedAnew = settings.script !== undefined && settings.voicing !== undefined;
  const dialogue = await dialogueOf(
    {
      mediaPath: order.mediaPath,
      mediaFolder: order.mediaFolder,
      durationSeconds: analysis.durationSeconds,
      heard: speech,
      ...defined({ tracks, dips, unknown }),
      music: confidentRanges(music),
      captions,
      language: settings.language,
      // Lines that are voiced where they lie need no words of others.
      mayAsk: !isVoicedAnew,
      keepsSongs: !isOverMusic,
      environment: process.env,
      ask: (isHere, work) => whileAsking(context, isHere, work),
      onProgress,
    },
    context.signal,
  );
  const lines = dialogue.transcript.length;
  const more =
    lines > MOST_DIALOGUE_LINES ? [`Of what is said, the first ${MOST_DIALOGUE_LINES} lines are listed.`] : [];
  return { ...dialogue, notes: [...dialogue.notes, ...more], findings: songFindings(dialogue, isOverMusic) };
}

/**
 * Announces each song that was heard and that no caption tells of: whoever shows the dialogue announces those.
 *
 * @param isOverMusic Whether descriptions may lie over music.
 */
export function songFindings(
  { singing, transcript }: Pick<Dialogue, "singing" | "transcript">,
  isOverMusic: boolean,
): JobFinding[] {
  const told = sungRanges(transcript);
  return songsOf(singing)
    .filter((song) => overlapWithRanges(song, told) === 0)
    .map(({ start, end }) => {
      const hasWords = overlapWithRanges({ start, end }, transcript) > 0;
      const what = !isOverMusic
        ? "it is kept clear: say whether some of it may be described over"
        : hasWords
          ? "its words are kept clear: say whether some of them may be described over"
          : "nobody wrote its words down, so descriptions may lie over them: give captions that have them, or allow no descriptions over music";
      return { rule: "song", severity: "note", message: `a song is sung here, and ${what}`, start, end };
    });
}
