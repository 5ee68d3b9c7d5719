import type { JobFinding, JobReport } from "../../contract/job.ts";
import type { WrittenDescription } from "../describe/describer.ts";
import type { OddLength, VoicedLength } from "../voice/voice-length.ts";
import type { FittedCue, Fitting, UnplacedWithSeconds } from "./fit.ts";

/** How sure the writer of a line must be for nobody to have to look. */
const SURE = 0.6;

/** The wordings that were not chosen, for whoever has to shorten a line later; `undefined` where there are none. */
export function wordingsOf({ cues }: Fitting): JobReport["wordings"] | undefined {
  const lines = cues.flatMap(({ text: said, others = [] }) => (others.length === 0 ? [] : [{ said, others }]));
  return lines.length === 0 ? undefined : lines;
}

/** Lines that are spoken and that their writer was not sure of; `undefined` where there are none. */
export function doubtsOf(written: readonly WrittenDescription[], { cues }: Fitting): JobReport["doubts"] | undefined {
  const said = new Map(cues.map(({ id, text }) => [id, text]));
  const doubts = written.flatMap(({ id, confidence = 1, doubt = "" }) => {
    const text = said.get(id);
    return text === undefined || confidence >= SURE ? [] : [{ said: text, confidence, why: doubt }];
  });
  return doubts.length === 0 ? undefined : doubts;
}

/** A line as it was voiced, for what is said of its length. */
export function voicedLength({ text, narrationSeconds, rate }: FittedCue): VoicedLength {
  return { text, seconds: narrationSeconds, rate };
}

/** That a line is shorter or longer than its words can be. */
export function lengthFinding({ text, kind, message }: OddLength): JobFinding {
  return { rule: "voice-length", severity: kind === "short" ? "fail" : "warn", message, said: text };
}

/** Whether a line has no place because the voice gave no sound for it. */
export function isSilent({ reason }: UnplacedWithSeconds): boolean {
  return reason === "no-sound";
}

/** That a line is not spoken, for the same reason. */
export function silentFinding({ text }: UnplacedWithSeconds): JobFinding {
  return { rule: "no-sound", severity: "fail", message: `“${text}” is not spoken: the voice gave no sound for it` };
}
