import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Cue } from "../../core/cue.ts";
import { frameRate } from "../../core/frame-rate.ts";
import type { KeptStill } from "../../core/measures.ts";
import { defined } from "../../core/objects.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { timecodeAt } from "../../core/timecode.ts";
import type { Timeline } from "../../core/timeline.ts";
import type { LookOrder } from "../../engine/index.ts";
import type { FilmReading } from "../../formats/gate/film-reading.ts";
import { VERSION } from "../../service/version.ts";
import type { CheckProfile } from "../../workflow/check/check-profile.ts";
import type { IntroducedName } from "../../workflow/check/check-script.ts";
import type { Arguments, Command } from "../shell/command.ts";
import { tableOf } from "../shell/output.ts";
import { AUDIO_TRACK_OPTION, TEXT_OPTIONS } from "../shell/run-command.ts";
import { EXIT, UsageError } from "../shell/usage-error.ts";
import { makeResultsFolder } from "../source/results-folder.ts";

/** Holds a result against a profile. */
export const CHECK: Command = {
  name: "check",
  summary: "Check a finished result: words, times, levels, peaks, as they are heard.",
  synopsis: "[cues or timeline] [options]",
  notes: [
    "Cues come from a timeline (.otio, .xml, .fcpxml: markers of ours, else all) or any file of cues. Speech is heard in\nthe programme, or taken from captions. Without cues, --mix alone is checked for levels and peaks.",
    "Profiles: default, broadcast, streaming, or a JSON file with what differs from the default. Exit code 3 when a limit\nis broken. With --out, report.html and report.json are written,\nwith --picture with the picture of each description.",
  ],
  options: {
    media: { value: "FILE", help: "The programme (default: the media of a timeline of one clip, if it is there)." },
    audio: { value: "FILE", help: "The narration alone." },
    mix: { value: "FILE", help: "Programme and narration together, as delivered." },
    captions: { value: "FILE", help: "Captions: where people speak." },
    ...TEXT_OPTIONS,
    ...AUDIO_TRACK_OPTION,
    names: {
      value: "FILE",
      help: 'JSON: [{"name": "Kim", "from": 61.5}], seconds at which the programme gives a name.',
    },
    picture: {
      help: "Look at the picture too: light, colours, cuts, quoted text, empty pauses. Takes longer.",
    },
    profile: { value: "NAME", help: "default, broadcast, streaming, or a file (default: default)." },
    extended: { help: "The programme is paused for descriptions: they may lie anywhere." },
    language: { value: "CODE", help: "Language of the descriptions (default: that of the cues, or en-US)." },
    out: { value: "DIR", help: "Folder for report.html and report.json." },
    json: { help: "Print the report as JSON." },
  },
  async run(given, { output, signal }) {
    // Loaded here alone: help, version and the other commands start without it.
    const [{ checkResult }, { measureIfGiven, measurePictureFile }, report, { nodeFiles }] = await Promise.all([
      import("../../workflow/check/check-result.ts"),
      import("../source/measure-file.ts"),
      import("../../workflow/check/check-report.ts"),
      import("../../host/headless/files.ts"),
    ]);
    const call = await callOf(given);
    const [programme, narration, mix] = [
      await measureIfGiven(call.media, call.captions === undefined, signal, call.audioTrack),
      await measureIfGiven(call.audio, false, signal),
      await measureIfGiven(call.mix, call.media === undefined, signal),
    ];
    if (programme?.soundChoice !== undefined) output.tell(programme.soundChoice);
    const picture =
      call.looks && call.media !== undefined
        ? await measurePictureFile(call.media, await looksOf(call), signal)
        : undefined;
    const checked = checkResult({
      cues: call.cues,
      language: call.language,
      ...defined({ picture }),
      type: call.isExtended ? "extended" : "standard",
      profile: call.profile,
      names: call.names,
      ...defined({ programme, narration, mix }),
      ...(call.captions === undefined ? {} : { speech: call.captions }),
    });
    const files = [call.source, call.media, call.audio, call.mix].flatMap((path) =>
      path === undefined ? [] : [basename(path)],
    );
    const context = {
      title: files[0] ?? "",
      language: call.language,
      checkedAt: new Date().toISOString(),
      version: VERSION,
      files,
      pictureOf: picturesOf(call.cues, picture?.stills ?? []),
      levels: (programme ?? mix ?? narration)?.levels ?? [],
      labelAt: (seconds: number) => timecodeAt(call.grid, seconds),
    };
    const data = report.checkReportData(checked, context);
    if (call.out !== undefined) {
      await makeResultsFolder(call.out);
      await nodeFiles.writeText(resolve(call.out, "report.json"), `${JSON.stringify(data, null, 2)}\n`);
      await nodeFiles.writeText(resolve(call.out, "report.html"), report.checkReportPage(checked, context));
    }
    if (call.isJson) output.print(JSON.stringify(data));
    else {
      const rows = checked.findings.map(({ severity, rule, cueIds, message, range }) => {
        const at = checked.heardCues.find(({ id }) => id === cueIds[0])?.start ?? range?.start;
        return [severity, rule, at === undefined ? "" : timecodeAt(call.grid, at), cueIds.join(" "), message];
      });
      if (rows.length > 0) output.print(`${tableOf(["", "rule", "at", "cue", ""], rows)}\n`);
      output.print(`${checked.heardCues.length} descriptions, profile ${checked.profile.name}: ${data.verdict}`);
      if (call.out !== undefined) output.print(`Report: ${resolve(call.out, "report.html")}`);
    }
    return data.verdict === "fail" ? EXIT.findings : EXIT.done;
  },
};

/** Folder of the pictures beside a report. */
const PICTURE_FOLDER = "pictures";

/** Where to look closely: at what is quoted, and for a report at the picture in the middle of each description. */
async function looksOf({ cues, language, out, audioTrack }: CheckCall): Promise<Omit<LookOrder, "path">> {
  const { quotedStretches } = await import("../../workflow/check/check-quotations.ts");
  const looks = { reads: quotedStretches(cues, language), ...defined({ audioTrack }) };
  if (out === undefined) return looks;
  const folder = resolve(out, PICTURE_FOLDER);
  await makeResultsFolder(folder);
  return { ...looks, stills: { folder, at: [...new Set(cues.map(middleOf))].sort((a, b) => a - b) } };
}

function middleOf({ start, end }: Cue): number {
  return (start + end) / 2;
}

/** The picture of each description as an address beside the report. */
function picturesOf(cues: readonly Cue[], stills: readonly KeptStill[]): (cueId: string) => string | undefined {
  const files = new Map(stills.map(({ at, file }) => [at, `${PICTURE_FOLDER}/${file}`]));
  const byId = new Map(cues.map((cue) => [cue.id, files.get(middleOf(cue))]));
  return (cueId) => byId.get(cueId);
}

interface CheckCall {
  readonly source?: string;
  readonly cues: readonly Cue[];
  readonly grid: FrameGrid;
  readonly media?: string;
  readonly audioTrack?: string;
  readonly audio?: string;
  readonly mix?: string;
  readonly captions?: readonly Cue[];
  readonly names: readonly IntroducedName[];
  readonly profile: CheckProfile;
  readonly isExtended: boolean;
  readonly looks: boolean;
  readonly language: string;
  readonly out?: string;
  readonly isJson: boolean;
}

async function callOf({ positionals, values }: Arguments): Promise<CheckCall> {
  const [source, ...more] = positionals;
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : undefined);
  if (more.length > 0) throw new UsageError('check takes one file of cues. See "aside check --help".');
  if (source === undefined && text("mix") === undefined) {
    throw new UsageError('check needs cues, or a sound with --mix. See "aside check --help".');
  }
  const [{ readCueSource }, { namedOrOwn }, { PROFILES, parseProfile }] = await Promise.all([
    import("../source/cue-source.ts"),
    import("../source/cue-source.ts"),
    import("../../workflow/check/check-profile.ts"),
  ]);
  const film = async (path: string | undefined, holds: NonNullable<FilmReading["holds"]>): Promise<FilmReading> => {
    if (path === undefined) return {};
    const { filmOf } = await import("../source/described-source.ts");
    return { ...(await filmOf(path)), holds };
  };
  const document =
    source === undefined ? undefined : await readCueSource(source, await film(text("media"), "descriptions"));
  const media =
    text("media") ?? (source === undefined ? undefined : await mediaOf(document?.timeline, dirname(source)));
  if (values["picture"] === true && media === undefined) throw new UsageError("--picture needs --media");
  const captions = text("captions");
  const names = text("names");
  return {
    ...defined({ source, media, audio: text("audio"), mix: text("mix"), out: text("out") }),
    ...defined({ audioTrack: text("audio-track") }),
    cues: document?.cues ?? [],
    grid: document?.grid ?? { rate: frameRate(25), isDropFrame: false, startFrame: 0 },
    ...(captions === undefined
      ? {}
      : { captions: (await readCueSource(captions, await film(media, "dialogue"))).cues }),
    names: names === undefined ? [] : await readNames(names),
    profile: await namedOrOwn("profile", text("profile") ?? "default", PROFILES, parseProfile),
    isExtended: values["extended"] === true,
    looks: values["picture"] === true,
    language: text("language") ?? document?.language ?? "en-US",
    isJson: values["json"] === true,
  };
}

/** The media of a timeline that shows one file from its beginning, if it is where the timeline says. */
async function mediaOf(timeline: Timeline | undefined, folder: string): Promise<string | undefined> {
  const { nodeFiles } = await import("../../host/headless/files.ts");
  const clips = timeline?.tracks.filter(({ kind }) => kind === "video").flatMap((track) => track.clips) ?? [];
  const [clip] = clips;
  if (clip === undefined || clips.length !== 1 || clip.start !== 0 || clip.sourceStart !== 0) return undefined;
  const location = clip.source.kind === "media" ? clip.source.location : null;
  if (location === null) return undefined;
  try {
    const path = location.startsWith("file:") ? fileURLToPath(location) : resolve(folder, location);
    return (await nodeFiles.size(path)) === null ? undefined : path;
  } catch {
    return undefined; // An address of another computer.
  }
}

async function readNames(path: string): Promise<readonly IntroducedName[]> {
  const { readTextFile } = await import("../source/text-file.ts");
  const wrong = new UsageError(`--names ${basename(path)}: give [{"name": "Kim", "from": 61.5}]`);
  try {
    const value: unknown = JSON.parse(await readTextFile(path));
    if (!Array.isArray(value)) throw wrong;
    return value.map((one: { name?: unknown; from?: unknown } | null) => {
      if (typeof one?.name !== "string" || typeof one.from !== "number") throw wrong;
      return { name: one.name, from: one.from };
    });
  } catch (error) {
    throw error instanceof SyntaxError ? wrong : error;
  }
}
