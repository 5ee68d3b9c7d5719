import { endsEarly } from "../../core/measures.ts";
import { defined } from "../../core/objects.ts";
import type { GivenCaptions } from "../../core/settings.ts";
import type { FilmReading } from "../../formats/gate/film-reading.ts";
import { textOf } from "../shell/arguments.ts";
import type { Arguments, Command } from "../shell/command.ts";
import { tableOf } from "../shell/output.ts";
import { AUDIO_TRACK_OPTION, TEXT_OPTIONS } from "../shell/run-command.ts";
import { EXIT, UsageError } from "../shell/usage-error.ts";

/** Maps the pauses of a file before anything is sent or paid. */
export const GAPS: Command = {
  name: "gaps",
  summary: "Map the pauses of a video before paying: what fits, what it costs, which kind to choose.",
  synopsis: "<media> [options]",
  notes: ["Listens on this computer; nothing leaves it. Sound alone is enough."],
  options: {
    captions: { value: "FILE", help: "Captions: what is said, beside what is heard." },
    ...TEXT_OPTIONS,
    ...AUDIO_TRACK_OPTION,
    "min-cue-length": { value: "SECONDS", help: "Leave shorter pauses empty, 0.75 (default) to 5." },
    "no-over-music": { help: "Do not count pauses under music." },
    json: { help: "Print the map as JSON." },
  },
  async run(given, { output, signal }) {
    // Loaded here alone: help, version and the other commands start without it.
    const [{ findSound }, { gapsIn }, { hearFile }] = await Promise.all([
      import("../../workflow/gaps/look-for-gaps.ts"),
      import("../../workflow/gaps/gap-map.ts"),
      import("../source/measure-file.ts"),
    ]);
    const asked = callOf(given);
    const heardThere = await hearFile(asked.media, signal, asked.audioTrack);
    const { durationSeconds, statedSeconds, soundChoice, unreadSound, heard } = heardThere;
    const call = { ...asked, ...(await captionsOf(asked, { durationSeconds, speech: heard?.speech ?? [] })) };
    const ports = { transcript: async () => null, listen: async () => heard };
    const found = await findSound(ports, { ...call, durationSeconds });
    if (found === null) throw new UsageError("it is not known where people speak; give --captions");
    const { basis } = found;
    const map = gapsIn(found, call);
    const notes = [
      ...(soundChoice === null ? [] : [soundChoice]),
      ...(statedSeconds === null ? [] : [`${endsEarly(durationSeconds, statedSeconds)}.`]),
      ...(unreadSound === null ? [] : [`The sound cannot be decoded (${unreadSound}).`]),
    ];
    const exit = map.unknown.length > 0 || statedSeconds !== null ? EXIT.findings : EXIT.done;
    if (call.isJson) {
      output.print(JSON.stringify({ basis, ...map, notes }));
      return exit;
    }
    const rows = map.gaps.map(({ start, end, words }) => [start.toFixed(2), (end - start).toFixed(2), String(words)]);
    if (rows.length > 0) output.print(`${tableOf(["from s", "length s", "words"], rows)}\n`);
    const credits = Object.entries(map.credits).map(([kind, count]) => `${count.toFixed(2)} as ${kind}`);
    const unknown = map.unknown.map(({ start, end }) => `from ${start.toFixed(2)} to ${end.toFixed(2)} s`);
    output.print(
      [
        ...notes,
        ...(unknown.length === 0
          ? []
          : [
              `It is not known whether people speak ${unknown.join(", ")}: no pause is counted there. Give --captions.`,
            ]),
        `${map.gaps.length} pauses, ${map.gapSeconds.toFixed(1)} of ${durationSeconds.toFixed(1)} s, room for about ${map.words} words, ${map.expectedCues} descriptions.`,
        `Speech fills ${Math.round(map.speechShare * 100)} %. ${map.reason} Advice: ${map.advice} descriptions.`,
        ...(map.expectsNotEnoughGaps ? ["A standard job would fail: standard_ad_not_enough_gaps."] : []),
        `${map.minutes.toFixed(2)} minutes; credits of the hosted service: ${credits.join(", ")}.`,
      ].join("\n"),
    );
    return exit;
  },
};

interface GapsCall {
  readonly media: string;
  readonly captionsPath?: string;
  readonly audioTrack?: string;
  readonly minimumCueSeconds: number;
  readonly allowsOverMusic: boolean;
  readonly isJson: boolean;
}

function callOf(given: Arguments): GapsCall {
  const { positionals, values } = given;
  const [media, ...more] = positionals;
  if (media === undefined || more.length > 0) throw new UsageError('gaps takes one file. See "aside gaps --help".');
  const minimum = Number(values["min-cue-length"] ?? 0.75);
  if (!(minimum >= 0.75 && minimum <= 5)) throw new UsageError("--min-cue-length is a number from 0.75 to 5");
  const path = values["captions"];
  return {
    media,
    ...(typeof path === "string" ? { captionsPath: path } : {}),
    ...defined({ audioTrack: textOf(given, "audio-track") }),
    minimumCueSeconds: minimum,
    allowsOverMusic: values["no-over-music"] !== true,
    isJson: values["json"] === true,
  };
}

/** The captions of a call, held against what was heard. */
async function captionsOf(
  { media, captionsPath }: GapsCall,
  heard: Pick<FilmReading, "durationSeconds" | "speech">,
): Promise<{ readonly captions?: GivenCaptions }> {
  if (captionsPath === undefined) return {};
  const [{ readGivenText }, { filmOf }] = await Promise.all([
    import("../source/cue-source.ts"),
    import("../source/described-source.ts"),
  ]);
  const film = { ...(await filmOf(media)), ...heard, holds: "dialogue" } as const;
  return { captions: await readGivenText(captionsPath, film) };
}
