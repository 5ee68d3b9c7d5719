import { mkdir, readdir, stat } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import { framesFromSeconds, secondsFromFrames } from "../core/frame-rate.ts";
import { parseRateName } from "../core/rate-name.ts";
import type { FrameGrid } from "../core/settings.ts";
import { formatTimecode } from "../core/timecode.ts";
import type { ReadDocument } from "../formats/read-document.ts";
import type { Arguments, Command, CommandContext } from "./command.ts";
import { EXIT, type ExitCode, UsageError } from "./usage-error.ts";
import { VERSION } from "./version.ts";

/** Writes everything that a delivery holds. */
export const DELIVER: Command = {
  name: "deliver",
  summary: "Write a delivery: captions, lists, script, sound with a time reference, and a manifest.",
  synopsis: "<cues or timeline> --out DIR [options]",
  notes: [
    "Writes descriptions.vtt (kind descriptions), .srt, .edl, .csv and .dapt.xml, script.html to print, narration.wav and\nmix.wav as Broadcast Wave with the samples untouched, and manifest.json with the hash of each.",
  ],
  options: {
    out: { value: "DIR", help: "Folder that the delivery goes to." },
    audio: { value: "FILE", help: "The narration alone, a WAV file." },
    mix: { value: "FILE", help: "Programme and narration together, a WAV file." },
    language: { value: "CODE", help: "Language of the descriptions (default: that of the cues, or en-US)." },
    title: { value: "TEXT", help: "Title of the programme (default: that of the cues, or the file's name)." },
    rate: { value: "RATE", help: "Frame rate of cues that have none: 25 (default), 23.976, 29.97df, ..." },
    voice: { value: "NAME", help: "Voice of the narration, for the disclosure." },
    "human-voice": { help: "The narration was spoken by a person." },
    force: { help: "Write into DIR though it holds files." },
    json: { help: "Print the manifest as JSON." },
  },
  async run(given, context) {
    return deliver(callOf(given), context);
  },
};

interface DeliverCall {
  readonly source: string;
  readonly out: string;
  readonly audio?: string;
  readonly mix?: string;
  readonly language?: string;
  readonly title?: string;
  readonly grid: FrameGrid;
  readonly voice?: string;
  readonly isHuman: boolean;
  readonly overwrites: boolean;
  readonly isJson: boolean;
}

function callOf({ positionals, values }: Arguments): DeliverCall {
  const [source, ...more] = positionals;
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : undefined);
  const out = text("out");
  if (source === undefined || more.length > 0 || out === undefined) {
    throw new UsageError(
      'deliver needs cues and a folder: aside deliver <cues> --out DIR. See "aside deliver --help".',
    );
  }
  const rate = parseRateName(text("rate") ?? "25");
  if (rate === null) throw new UsageError(`--rate: "${text("rate")}" is no frame rate`);
  const given = {
    audio: text("audio"),
    mix: text("mix"),
    language: text("language"),
    title: text("title"),
    voice: text("voice"),
  };
  return {
    source,
    out: resolve(out),
    grid: { ...rate, startFrame: 0 },
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    isHuman: values["human-voice"] === true,
    overwrites: values["force"] === true,
    isJson: values["json"] === true,
  };
}

async function deliver(call: DeliverCall, { output }: CommandContext): Promise<ExitCode> {
  const [formats, { readTextFile }, { nodeFiles }, { copyAsBroadcastWave, sha256Of }] = await Promise.all([
    import("../formats/index.ts"),
    import("./text-file.ts"),
    import("../host/headless/files.ts"),
    import("./broadcast-wave.ts"),
  ]);
  const document = formats.readDocument(await readTextFile(call.source), {
    filename: basename(call.source),
    grid: call.grid,
  });
  const cues = await ownCues(document);
  if (cues.length === 0) throw new UsageError(`"${basename(call.source)}" holds no cue that can be read`);
  await mkdir(call.out, { recursive: true });
  if (!call.overwrites && (await readdir(call.out)).length > 0) {
    throw new UsageError(`"${basename(call.out)}" holds files already; --force writes into it`);
  }
  const grid = document.grid ?? call.grid;
  const language = call.language ?? document.language ?? "en-US";
  const title = call.title ?? document.title ?? basename(call.source, extname(call.source));
  const named = { ...document, cues, title, language };
  const names: string[] = [];
  const keep = async (name: string, text: string) => {
    await nodeFiles.writeText(join(call.out, name), text);
    names.push(name);
  };
  for (const format of ["vtt", "srt", "edl", "csv", "ttml"] as const) {
    const { timeline: _, ...texts } = named;
    const name = format === "ttml" ? "descriptions.dapt.xml" : `descriptions.${format}`;
    await keep(name, formats.convertCues(texts, { format, grid }).text);
  }
  const { scriptPage } = await import("../workflow/script-page.ts");
  const labelAt = (seconds: number) => formatTimecode(grid.startFrame + framesFromSeconds(seconds, grid.rate), grid);
  await keep("script.html", scriptPage(cues, { title, language, labelAt }));
  const start = secondsFromFrames(grid.startFrame, grid.rate);
  for (const [name, from] of [
    ["narration.wav", call.audio],
    ["mix.wav", call.mix],
  ] as const) {
    if (from === undefined) continue;
    await copyAsBroadcastWave(from, join(call.out, name), start, { description: title, originator: "Aside" });
    names.push(name);
  }
  const files = [];
  for (const name of names) {
    const path = join(call.out, name);
    files.push({ name, bytes: (await stat(path)).size, sha256: await sha256Of(path) });
  }
  const manifest = {
    generator: "aside",
    version: VERSION,
    created_at: new Date().toISOString(),
    title,
    language,
    descriptions: cues.length,
    frame_rate: `${grid.rate.numerator}/${grid.rate.denominator}`,
    drop_frame: grid.isDropFrame,
    start_timecode: labelAt(0),
    voice: { kind: call.isHuman ? "human" : "synthetic", ...(call.voice === undefined ? {} : { name: call.voice }) },
    disclosure: call.isHuman
      ? "The narration was spoken by a person."
      : "The narration was made with a synthetic voice.",
    files,
  };
  await nodeFiles.writeText(join(call.out, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  if (call.isJson) output.print(JSON.stringify(manifest));
  else
    output.print(
      `${files.length + 1} files in ${call.out}:\n${[...names, "manifest.json"].map((name) => `  ${name}`).join("\n")}`,
    );
  return EXIT.done;
}

/** The cues of markers of ours where a timeline has such, else all. */
async function ownCues(document: ReadDocument): Promise<ReadDocument["cues"]> {
  if (document.timeline === undefined) return document.cues;
  const { readBack } = await import("../workflow/read-back.ts");
  const everything = { record: null, offsetSeconds: 0, durationSeconds: Number.MAX_SAFE_INTEGER };
  const { cues } = readBack({ timeline: document.timeline, ...everything });
  return cues.length > 0 ? cues : document.cues;
}
