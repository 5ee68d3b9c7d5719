import { JOB_FINDING_RULES, LEFT_OUT_REASONS } from "../contract/choices.ts";
import type { VoicingOnWire } from "../contract/generation.ts";
import type { HeldReport, JobReport, MixCueReport, VideoReport } from "../contract/job.ts";
import { defined } from "../core/objects.ts";
import { type JsonObject, listField, numberField, objectOf, textField } from "./reply.ts";

/** A report of our own service; what is not as the contract says is left out rather than trusted. */
export function readReport(value: unknown): JobReport | undefined {
  const report = objectOf(value);
  if (report === null) return undefined;
  const stages = Object.entries(objectOf(report["stage_seconds"]) ?? {});
  const singing = plainRanges(report, "singing");
  return {
    describer: textField(report, "describer") ?? "",
    ...readHeardRanges(report),
    ...(singing.length === 0 ? {} : { singing }),
    shots: numbersOf(report["shots"]),
    notes: listField(report, "notes").filter((note) => typeof note === "string"),
    stage_seconds: Object.fromEntries(
      stages.filter((entry): entry is [string, number] => typeof entry[1] === "number"),
    ),
    ...defined({
      levels: readLevels(report),
      dialogue: readDialogue(report),
      wordings: readWordings(report),
      doubts: readDoubts(report),
      findings: readFindings(report),
      bible: textField(report, "bible"),
      lines_spoken: numberField(report, "lines_spoken"),
      mix: readMix(report["mix"]),
      video: readVideo(report["video"]),
      held: readHeld(report["held"]),
      to_write: readPauses(report),
      left_out: readLeftOut(report),
    }),
  };
}

/** What was heard, as a report and the reply of `listen` have it. */
export function readHeardRanges(reply: JsonObject): Pick<JobReport, "speech" | "music" | "silence" | "unknown"> {
  const unknown = plainRanges(reply, "unknown");
  return {
    speech: heardRanges(reply, "speech"),
    music: heardRanges(reply, "music"),
    silence: plainRanges(reply, "silence"),
    ...(unknown.length === 0 ? {} : { unknown }),
  };
}

function plainRanges(reply: JsonObject, name: string): JobReport["silence"] {
  return listField(reply, name).flatMap((range) => {
    const [start, end] = numbersOf(range);
    return start === undefined || end === undefined ? [] : [[start, end] as const];
  });
}

/** How loud the programme is in equal parts; `undefined` where nobody says. */
function readLevels(report: JsonObject): JobReport["levels"] | undefined {
  const levels = numbersOf(report["levels"]);
  return levels.length === 0 ? undefined : levels;
}

/** What is said, as far as it is whole; `undefined` where there is nothing. */
function readDialogue(report: JsonObject): JobReport["dialogue"] | undefined {
  const lines = objectsIn(report, "dialogue")
    .map((line) => ({
      start: numberField(line, "start"),
      end: numberField(line, "end"),
      text: textField(line, "text"),
      ...defined({ speaker: textField(line, "speaker") }),
    }))
    .filter(isWhole);
  return lines.length === 0 ? undefined : lines;
}

/** Other wordings of lines, as far as they are whole; `undefined` where there are none. */
function readWordings(report: JsonObject): JobReport["wordings"] | undefined {
  const lines = objectsIn(report, "wordings").map((line) => ({
    said: textField(line, "said") ?? "",
    others: objectsIn(line, "others")
      .map((other) => ({ text: textField(other, "text"), seconds: numberField(other, "seconds") }))
      .filter(isWhole),
  }));
  return lines.length === 0 ? undefined : lines;
}

/** Doubts about lines, as far as they are whole; `undefined` where there are none. */
function readDoubts(report: JsonObject): JobReport["doubts"] | undefined {
  const doubts = objectsIn(report, "doubts").flatMap((doubt) => {
    const said = textField(doubt, "said");
    if (said === undefined) return [];
    return [{ said, confidence: numberField(doubt, "confidence") ?? 0, why: textField(doubt, "why") ?? "" }];
  });
  return doubts.length === 0 ? undefined : doubts;
}

/** What the service found of its own work, as far as it is whole; `undefined` where there is nothing. */
function readFindings(report: JsonObject): JobReport["findings"] | undefined {
  const findings = objectsIn(report, "findings")
    .map((finding) => ({
      rule: JOB_FINDING_RULES.find((rule) => rule === finding["rule"]),
      severity: (["fail", "warn", "note"] as const).find((severity) => severity === finding["severity"]),
      message: textField(finding, "message"),
      ...defined({
        said: textField(finding, "said"),
        start: numberField(finding, "start"),
        end: numberField(finding, "end"),
      }),
    }))
    .filter(isWhole);
  return findings.length === 0 ? undefined : findings;
}

/** Pauses that are left to write, as far as they are whole; `undefined` where there are none. */
function readPauses(report: JsonObject): JobReport["to_write"] | undefined {
  const pauses = objectsIn(report, "to_write")
    .map((pause) => ({
      id: textField(pause, "id"),
      start: numberField(pause, "start"),
      end: numberField(pause, "end"),
      words: numberField(pause, "words"),
      ...(pause["unit"] === "characters" ? { unit: "characters" as const } : {}),
      hints: listField(pause, "hints").filter((hint) => typeof hint === "string"),
      ...defined({ before: textField(pause, "before"), after: textField(pause, "after") }),
    }))
    .filter(isWhole);
  return pauses.length === 0 ? undefined : pauses;
}

/** Lines of a script without a place, as far as they are whole; `undefined` where there are none. */
function readLeftOut(report: JsonObject): JobReport["left_out"] | undefined {
  const lines = objectsIn(report, "left_out")
    .map((line) => ({
      text: textField(line, "text"),
      start: numberField(line, "start"),
      end: numberField(line, "end"),
      seconds: numberField(line, "seconds"),
      reason: LEFT_OUT_REASONS.find((reason) => reason === line["reason"]),
    }))
    .filter(isWhole);
  return lines.length === 0 ? undefined : lines;
}

function readMix(value: unknown): JobReport["mix"] | undefined {
  const mix = objectOf(value);
  if (mix === null) return undefined;
  return {
    channels: numberField(mix, "channels") ?? 0,
    integrated_lufs: numberField(mix, "integrated_lufs") ?? null,
    true_peak_dbtp: numberField(mix, "true_peak_dbtp") ?? null,
    ...defined({ voicing: readVoicing(mix["voicing"]) }),
    cues: objectsIn(mix, "cues").map(
      (cue): MixCueReport => ({
        id: textField(cue, "id") ?? "",
        narration_lufs: numberField(cue, "narration_lufs") ?? Number.NaN,
        programme_lufs: numberField(cue, "programme_lufs") ?? null,
        ducked_db: numberField(cue, "ducked_db") ?? 0,
        margin_lu: numberField(cue, "margin_lu") ?? null,
        over_music: cue["over_music"] === true,
      }),
    ),
  };
}

/** What a mix used for all lines; `undefined` unless it is whole: half of it would make other lines change. */
function readVoicing(value: unknown): VoicingOnWire | undefined {
  const voicing = objectOf(value);
  if (voicing === null) return undefined;
  const { track } = voicing;
  const gains = defined({
    narration_gain_db: numberField(voicing, "narration_gain_db"),
    track_gain_db: numberField(voicing, "track_gain_db"),
  });
  const lines = objectsIn(voicing, "lines").map((line) => ({
    words: textField(line, "words"),
    start: numberField(line, "start"),
    seconds: numberField(line, "seconds"),
    rate: numberField(line, "rate"),
    ...(line["programme_lufs"] === undefined ? {} : { programme_lufs: numberField(line, "programme_lufs") ?? null }),
  }));
  if ((track !== "mixed" && track !== "ad_only") || !lines.every(isWhole)) return undefined;
  return { track, ...gains, lines };
}

/** What a video is, with its clock. */
function readVideo(value: unknown): VideoReport | undefined {
  const video = objectOf(value);
  const held = readHeld(value);
  if (video === null || held === undefined) return undefined;
  const encoded = numberField(video, "encoded_seconds");
  return {
    picture: video["picture"] === "copied" ? "copied" : "encoded",
    ...defined({ encoded_seconds: encoded }),
    ...held,
  };
}

/** A clock with pauses; `undefined` as soon as one of its times is missing: half a clock is worse than none. */
function readHeld(value: unknown): HeldReport | undefined {
  const video = objectOf(value);
  const seconds = video === null ? undefined : numberField(video, "duration_seconds");
  if (video === null || seconds === undefined) return undefined;
  const pauses = objectsIn(video, "pauses").map((pause) => ({
    at: numberField(pause, "at"),
    video_time: numberField(pause, "video_time"),
    seconds: numberField(pause, "seconds"),
  }));
  const cues = objectsIn(video, "cues").map((cue) => ({
    id: textField(cue, "id"),
    start: numberField(cue, "start"),
    end: numberField(cue, "end"),
  }));
  if (!pauses.every(isWhole) || !cues.every(isWhole)) return undefined;
  return { duration_seconds: seconds, pauses, cues };
}

/** Whether no member is missing. */
function isWhole<T extends object>(value: T): value is { [Key in keyof T]: Exclude<T[Key], undefined> } & T {
  return !Object.values(value).includes(undefined);
}

function objectsIn(object: JsonObject, name: string): JsonObject[] {
  return listField(object, name)
    .map(objectOf)
    .filter((entry) => entry !== null);
}

function heardRanges(report: JsonObject, name: string): JobReport["speech"] {
  return listField(report, name).flatMap((range) => {
    const [start, end, confidence] = numbersOf(range);
    return start === undefined || end === undefined ? [] : [[start, end, confidence ?? 1] as const];
  });
}

function numbersOf(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "number" && Number.isFinite(entry)) : [];
}
