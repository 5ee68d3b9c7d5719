import type { Command } from "../../shell/command.ts";
import { tableOf } from "../../shell/output.ts";
import { AUDIO_TRACK_OPTION, TEXT_OPTIONS } from "../../shell/run-command.ts";
import { EXIT } from "../../shell/usage-error.ts";

/** Writes everything that a delivery holds. */
export const DELIVER: Command = {
  name: "deliver",
  summary: "Write a delivery: captions, lists, script, sound with a time reference, video, and a manifest.",
  synopsis: "<cues or timeline> --out DIR [options]",
  notes: [
    "Writes the texts of the preset (WebVTT of kind descriptions, SubRip, EDL, CSV, DAPT, a script page to print), the given\nsounds as Broadcast Wave, and manifest.json: hashes, settings, the voice, who changed what.",
    "With --preset the finished files are checked against what the recipient asks for. Where a limit is broken nothing is\ndelivered but report.html and report.json, and the exit code is 3.",
  ],
  options: {
    out: { value: "DIR", help: "Folder that the delivery goes to." },
    preset: { value: "NAME", help: "Recipient, by name or your own .json file; see --list-presets." },
    "list-presets": { help: "List the presets: what each holds, needs and checks." },
    audio: { value: "FILE", help: "The narration alone, a WAV file." },
    mix: { value: "FILE", help: "Programme and narration together, a WAV file." },
    media: {
      value: "FILE",
      help: "The programme: its length and speech are checked against, its picture goes into the video.",
    },
    captions: {
      value: "FILE",
      help: "Captions: where people speak, the script's in-cues, a text track of the video.",
    },
    ...TEXT_OPTIONS,
    ...AUDIO_TRACK_OPTION,
    leader: {
      value: "SECONDS",
      help: "Silence before the programme in the sounds, 2 to 60 (default with --two-pop: 8).",
    },
    "two-pop": { help: "A frame of 1 kHz at -20 dBFS in the leader, two seconds before the programme." },
    reference: {
      value: "TEXT",
      help: "The recipient's number of the programme, for heads of sounds and {reference}.",
    },
    "file-name": {
      value: "PATTERN",
      help: "Names of the files, such as {reference}_{title}_{kind}.{ending} (default: the preset's).",
    },
    word: { help: "The script as a Word table too, with the dialogue before each description where it is known." },
    excel: { help: "The same for Excel." },
    video: { help: "Make an MP4 with a descriptive sound track; needs --media, --audio and --mix." },
    adm: {
      help: "Programme and narration as objects of one file (ADM); needs --media and --audio.",
    },
    "fit-sound": {
      help: "Bring sounds to the preset's level, rate, bits and peak; without it samples stay untouched.",
    },
    despite: { help: "Deliver even if a limit is exceeded; the manifest says which." },
    record: {
      value: "FILE",
      help: "Record of the sequence, or report.json of the run (default: those beside the cues).",
    },
    extended: { help: "The programme is paused for descriptions: they may lie anywhere." },
    language: { value: "CODE", help: "Language of the descriptions (default: that of the cues, or en-US)." },
    title: { value: "TEXT", help: "Title of the programme (default: that of the cues, or the file's name)." },
    rate: {
      value: "RATE",
      help: "Frame rate of cues that have none (default: that of --media or the record, else 25).",
    },
    start: {
      value: "TIMECODE",
      help: "Timecode of the programme's start (default: the preset's, or that of the cues).",
    },
    voice: { value: "NAME", help: "Voice of the narration, for the disclosure (default: that of the record)." },
    "human-voice": { help: "The narration was spoken by a person." },
    force: { help: "Write into DIR even if it contains other files." },
    json: { help: "Print the manifest as JSON." },
  },
  async run(given, { output, signal }) {
    // Loaded here alone: help, version and the other commands start without it.
    const [{ deliverCallFrom }, { writeDelivery }, { DELIVERY_PRESETS }] = await Promise.all([
      import("./deliver-call.ts"),
      import("./write-delivery.ts"),
      import("../../../workflow/deliver/delivery-preset.ts"),
    ]);
    if (given.values["list-presets"] === true) {
      output.print(
        given.values["json"] === true
          ? JSON.stringify(DELIVERY_PRESETS)
          : tableOf(
              ["preset", "needs", "for"],
              DELIVERY_PRESETS.map(({ name, needs, title }) => [name, needs.join(", "), title]),
            ),
      );
      return EXIT.done;
    }
    const call = await deliverCallFrom(given, signal);
    const tell = (line: string) => {
      if (!call.isJson) output.tell(line);
    };
    const { manifest, isRefused, names } = await writeDelivery(call, { signal, tell });
    const findings = manifest.checks?.findings ?? [];
    if (call.isJson) output.print(JSON.stringify(manifest));
    else {
      const rows = findings.map(({ severity, rule, cueIds, message, source = "" }) => [
        severity,
        rule,
        cueIds.join(" "),
        message,
        source,
      ]);
      if (rows.length > 0) output.print(`${tableOf(["", "rule", "cue", "", "basis"], rows)}\n`);
      for (const line of manifest.checks?.not_checked ?? []) output.print(`Not checked: ${line}.`);
      const head = isRefused
        ? "Refused: a limit of the preset is broken, and nothing was delivered. --fit-sound brings levels and formats to the preset; --despite delivers as it is."
        : `${names.length} files in ${call.out}:`;
      output.print([head, ...names.map((name) => `  ${name}`)].join("\n"));
    }
    return findings.some(({ severity }) => severity === "fail") ? EXIT.findings : EXIT.done;
  },
};
