import { basename } from "node:path";
import { withoutEnding } from "../../core/local-file.ts";
import { defined } from "../../core/objects.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { canDropFrames, formatRateName, formatTimecode, parseRateName, parseTimecode } from "../../core/timecode.ts";
import { receiptLines } from "../../core/verdict.ts";
import type { ConversionLoss } from "../../formats/conversion-losses.ts";
import type { OfficeFormat } from "../../formats/office/office-parts.ts";
import type { ReadDocument } from "../../formats/read-document.ts";
import type { WritableFormat } from "../../formats/registry.ts";
import { writeWhole } from "../../workflow/wave-files.ts";
import type { Arguments, Command } from "../shell/command.ts";
import { issueLines } from "../shell/output.ts";
import { chosenReading, TEXT_OPTIONS } from "../shell/run-command.ts";
import { EXIT, UsageError } from "../shell/usage-error.ts";

/** Turns cues and timelines of one format into another, and says what does not come along. */
export const CONVERT: Command = {
  name: "convert",
  summary: "Convert cues or a timeline to another format, and name what is lost.",
  synopsis: "<in> <out> [options]",
  derivedNotes: async () => [formatNote(await import("../../formats/index.ts"))],
  notes: ['With "-" for <out> the result goes to standard output.'],
  options: {
    rate: { value: "RATE", help: "Frame rate: 25, 23.976, 29.97df, 59.94 ndf, 30000/1001, ..." },
    start: { value: "TIMECODE", help: "Timecode of the programme's start (default: 00:00:00:00, or that of <in>)." },
    from: { value: "FORMAT", help: "Format of <in>, where its text leaves it open." },
    ...TEXT_OPTIONS,
    to: { value: "FORMAT", help: "Format of <out>, where its name does not say it." },
    force: { help: "Overwrite <out>." },
    json: { help: "Print what was read, written and lost as JSON." },
  },
  async run(given, { output }) {
    // Loaded here alone: help, version and the other commands start without it.
    const [formats, { readText }, { unread }, { nodeFiles }, { HostError }] = await Promise.all([
      import("../../formats/index.ts"),
      import("../source/text-file.ts"),
      import("../source/cue-source.ts"),
      import("../../host/headless/files.ts"),
      import("../../host/host-error.ts"),
    ]);
    const call = convertCall(given, formats);
    const { text, issues: encoding, receipt: shown } = await readText(call.from);
    const read = formats.readDocument(text, {
      filename: basename(call.from),
      ...chosenReading(),
      ...(call.grid === undefined ? {} : { grid: call.grid, isStartGiven: call.isStartGiven }),
      ...(call.fromFormat === undefined ? {} : { format: call.fromFormat }),
    });
    const document = onGrid(read, call.grid, call.isStartGiven);
    const issues = [...encoding, ...document.issues];
    const receipt = {
      facts: [...(document.receipt?.facts ?? []), ...(shown?.facts ?? [])],
      leftOut: [...(shown?.leftOut ?? []), ...(document.receipt?.leftOut ?? [])],
    };
    const grid = targetGrid(call, document);
    if (grid === undefined && !formats.isOfficeFormat(call.toFormat) && formats.needsGrid(call.toFormat)) {
      throw new UsageError(
        `${call.toFormat} counts frames, and "${basename(call.from)}" does not say its rate. Give --rate.`,
      );
    }
    const context = { operation: "convert a file", state: "nothing was written" };
    // A timeline is worth turning into another without a word in it; a list of cues is not.
    const isTimeline = document.timeline !== undefined && isTimelineTarget(call.toFormat, formats);
    if (document.cues.length === 0 && !isTimeline) {
      const held = unread(basename(call.from), document);
      if (held !== null) throw held;
      for (const line of issueLines(issues)) output.tell(line);
      throw new HostError("file_unreadable", `"${basename(call.from)}" holds no cue that can be read`, context);
    }
    const toOutput = call.to === "-";
    if (toOutput && formats.isOfficeFormat(call.toFormat))
      throw new UsageError(`${call.toFormat} is no text: name a file for <out>.`);
    if (!toOutput && !call.overwrites && (await nodeFiles.size(call.to)) !== null) {
      throw new HostError("file_in_the_way", `"${basename(call.to)}" is there already; --force overwrites it`, context);
    }
    const { content, losses } = convert(document, call, grid, formats);
    if (content instanceof Uint8Array) {
      await writeWhole(nodeFiles, call.to, (writer) => writer.write(0, Uint8Array.from(content).buffer));
    } else if (!toOutput) await nodeFiles.writeText(call.to, content);
    const report = {
      from: document.format,
      to: call.toFormat,
      cues: document.cues.length,
      receipt,
      issues,
      losses,
    };
    if (call.isJson && !toOutput) output.print(JSON.stringify(report));
    else {
      // The number of cues stands in the summary too.
      const seen = receiptLines(receipt).filter((line) => !/^\d+ cues?$/.test(line));
      for (const line of [...seen, ...issueLines(issues), ...losses.map(lossLine)]) output.tell(line);
      if (typeof content === "string" && toOutput) output.print(content.trimEnd());
      else output.print(`${summary(document, call)}${grid === undefined ? "" : `, ${gridName(grid)}`}`);
    }
    return EXIT.done;
  },
};

function isTimelineTarget(format: WritableFormat | OfficeFormat, formats: Formats): boolean {
  return !formats.isOfficeFormat(format) && formats.isTimelineFormat(format);
}

/** The formats by the endings of their files, those that are written before those that are read alone. */
function formatNote({ FORMATS, OFFICE, WRITABLE_FORMATS }: Formats): string {
  const rows: readonly (readonly [string, { readonly endings: readonly string[]; readonly title: string }])[] =
    Object.entries({ ...FORMATS, ...OFFICE });
  const isWritten = (name: string) => WRITABLE_FORMATS.some((one) => one === name) || name in OFFICE;
  const named = (wanted: boolean) => rows.filter(([name]) => isWritten(name) === wanted);
  const endings = (wanted: boolean) => named(wanted).flatMap(([, row]) => row.endings.map((one) => `.${one}`));
  const unnamed = (wanted: boolean) =>
    named(wanted).flatMap(([name, row]) => (row.endings.length === 0 ? [`${name} (${row.title})`] : []));
  return [
    "The formats are read off the text of <in> and the name of <out>, or named by --from and --to.",
    `Read and written:\n  ${endings(true).join(" ")}`,
    `Read:\n  ${endings(false).join(" ")} .rtf`,
    `By name alone:\n  ${[...unnamed(true), ...unnamed(false)].join("\n  ")}`,
  ].join("\n");
}

/** What `aside convert` was asked for. */
interface ConvertCall {
  readonly from: string;
  readonly to: string;
  readonly fromFormat?: NonNullable<ReadDocument["format"]>;
  readonly toFormat: WritableFormat | OfficeFormat;
  readonly grid?: FrameGrid;
  /** Whether the grid's start was said, and not only its rate. */
  readonly isStartGiven: boolean;
  readonly overwrites: boolean;
  readonly isJson: boolean;
}

type Formats = typeof import("../../formats/index.ts");

function convertCall({ values, positionals }: Arguments, formats: Formats): ConvertCall {
  const [from, to, ...more] = positionals;
  if (from === undefined || to === undefined || more.length > 0) {
    throw new UsageError('convert needs two files: aside convert <in> <out>. See "aside convert --help".');
  }
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : undefined);
  const toFormat = writableFormat(text("to") ?? to, text("to") !== undefined, formats);
  const fromName = text("from");
  const fromFormat = fromName === undefined ? undefined : formats.formatOfName(`x.${fromName}`);
  if (fromName !== undefined && fromFormat === undefined)
    throw new UsageError(`--from: there is no format "${fromName}"`);
  const grid = gridOf(text("rate"), text("start"));
  return {
    from,
    to,
    toFormat,
    ...defined({ fromFormat, grid }),
    isStartGiven: text("start") !== undefined,
    overwrites: values["force"] === true,
    isJson: values["json"] === true,
  };
}

function writableFormat(name: string, isFormat: boolean, formats: Formats): WritableFormat | OfficeFormat {
  const ending = isFormat ? name : (/\.(\w+)$/.exec(name)?.[1] ?? "").toLowerCase();
  if (formats.isOfficeFormat(ending)) return ending;
  const found = formats.formatOfName(isFormat ? `x.${name}` : basename(name));
  const writable = formats.WRITABLE_FORMATS.find((format) => format === found || (isFormat && format === name));
  if (writable !== undefined) return writable;
  const what = isFormat
    ? `--to: "${name}" is no format that can be written`
    : `the name of <out> does not say its format`;
  throw new UsageError(
    `${what}. Give one of ${[...formats.WRITABLE_FORMATS, ...formats.OFFICE_FORMATS].join(", ")} with --to.`,
  );
}

function gridOf(rateName: string | undefined, start: string | undefined): FrameGrid | undefined {
  if (rateName === undefined) {
    if (start !== undefined) throw new UsageError("--start is a label of frames and needs --rate");
    return undefined;
  }
  const format = parseRateName(rateName);
  if (format === null) {
    throw new UsageError(`--rate: "${rateName}" is no frame rate; write it as 25, 23.976, 29.97df or 30000/1001`);
  }
  const label = parseTimecode(start ?? "00:00:00:00", format);
  if (label.ok) return { ...format, startFrame: label.frame };
  const reason = label.fault === "dropped-label" ? "is a label that drop-frame skips" : "is no timecode";
  throw new UsageError(`--start: "${start}" ${reason} at ${formatRateName(format)}`);
}

/** A document in the format asked for: a text, or bytes. */
function convert(
  document: ReadDocument,
  { from, toFormat: format }: ConvertCall,
  grid: FrameGrid | undefined,
  formats: Formats,
): { readonly content: string | Uint8Array; readonly losses: readonly ConversionLoss[] } {
  if (!formats.isOfficeFormat(format)) {
    const { text, losses } = formats.convertCues(document, { format, ...defined({ grid }) });
    return { content: text, losses };
  }
  try {
    const title = document.title ?? withoutEnding(basename(from));
    const { bytes, losses } = formats.convertToOffice({ ...document, title }, { format, ...defined({ grid }) });
    return { content: bytes, losses };
  } catch (error) {
    throw error instanceof formats.OfficeFault ? new UsageError(`The script ${error.message}.`) : error;
  }
}

/** A timeline on the grid that was given; what was not said of it is the timeline's own. */
function onGrid(document: ReadDocument, grid: FrameGrid | undefined, isStartGiven: boolean): ReadDocument {
  const { timeline } = document;
  if (timeline === undefined || grid === undefined) return document;
  const { rate, isDropFrame } = grid;
  const label = parseTimecode(formatTimecode(timeline.startFrame, timeline), grid, {
    dropped: "next",
    overflow: "carry",
  });
  const startFrame = isStartGiven || !label.ok ? grid.startFrame : label.frame;
  return {
    ...document,
    grid: { rate, isDropFrame, startFrame },
    timeline: { ...timeline, rate, isDropFrame, startFrame },
  };
}

/** The grid to write on: that of a timeline, else the one given, else that of the document. */
function targetGrid(call: ConvertCall, { timeline, grid }: ReadDocument): FrameGrid | undefined {
  return timeline === undefined ? (call.grid ?? grid) : grid;
}

function lossLine({ count, message }: ConversionLoss): string {
  return `Lost: ${count} ${message}`;
}

function summary(document: ReadDocument, call: ConvertCall): string {
  return `${document.cues.length} cues: ${basename(call.from)} (${document.format}) to ${call.to} (${call.toFormat})`;
}

function gridName(grid: FrameGrid): string {
  const hasModes = canDropFrames(grid.rate) && !grid.isDropFrame;
  return `${formatRateName(grid)}${hasModes ? " non-drop" : ""} from ${formatTimecode(grid.startFrame, grid)}`;
}
