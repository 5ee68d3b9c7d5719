import { strToU8, zipSync } from "fflate";
import type { Cue } from "../../core/cue.ts";
import { framesFromSeconds, framesPerSecond } from "../../core/frame-rate.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { formatTimecode } from "../../core/timecode.ts";
import { formatMilliseconds, millisecondsFrom } from "../clock-time.ts";
import type { Format } from "../format.ts";
import { foldWhiteSpace } from "../plain-markup.ts";
import { element, type XmlNode, xmlDocument } from "../xml/write-xml.ts";

/** A part of a document of Word or Excel. */
export interface OfficePart {
  /** Path inside the archive. */
  readonly path: string;
  /** Its media type. */
  readonly type: string;
  readonly root: XmlNode;
  /** Parts that it refers to as `r1`, `r2` and so on: paths beside its own, and what they are to it. */
  readonly relations?: readonly (readonly [path: string, kind: string])[];
}

/** Namespace of the relations inside a document. */
export const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

/**
 * Packs parts into a document as Word and Excel read it (ECMA-376 part 2). The same parts give the same bytes.
 *
 * @param parts The main one first.
 * @param properties What the document says of itself; the language as a BCP-47 code.
 */
export function packOffice(
  parts: readonly OfficePart[],
  { title, language }: { readonly title: string; readonly language: string },
): Uint8Array {
  const properties: OfficePart = {
    path: "docProps/core.xml",
    type: "application/vnd.openxmlformats-package.core-properties+xml",
    root: element(
      "cp:coreProperties",
      { "xmlns:cp": `${PACKAGE}/metadata/core-properties`, "xmlns:dc": "http://purl.org/dc/elements/1.1/" },
      [element("dc:title", {}, title), element("dc:language", {}, language)],
    ),
  };
  const all = [...parts, properties];
  const types = all.map(({ path, type }) => element("Override", { PartName: `/${path}`, ContentType: type }));
  const rels = { Extension: "rels", ContentType: "application/vnd.openxmlformats-package.relationships+xml" };
  const whole = relationsOf([
    [parts[0]?.path ?? "", `${RELATIONS}/officeDocument`],
    [properties.path, `${PACKAGE}/relationships/metadata/core-properties`],
  ]);
  const files: Record<string, XmlNode> = {
    "[Content_Types].xml": element("Types", { xmlns: `${PACKAGE}/content-types` }, [
      element("Default", rels),
      ...types,
    ]),
    "_rels/.rels": whole,
  };
  for (const { path, root, relations } of all) {
    files[path] = root;
    const [folder, name] = path.split("/");
    if (relations !== undefined) {
      files[`${folder}/_rels/${name}.rels`] = relationsOf(relations.map(([to, kind]) => [to, `${RELATIONS}/${kind}`]));
    }
  }
  const bytes = Object.entries(files).map(([path, root]) => [
    path,
    strToU8(xmlDocument(root, { indent: "", isStandalone: true })),
  ]);
  return zipSync(Object.fromEntries(bytes), { mtime: new Date(1980, 0, 1, 12) });
}

function relationsOf(relations: readonly (readonly [path: string, type: string])[]): XmlNode {
  const each = relations.map(([path, type], index) =>
    element("Relationship", { Id: `r${index + 1}`, Type: type, Target: path }),
  );
  return element("Relationships", { xmlns: `${PACKAGE}/relationships` }, each);
}

/** What a script says beside its cues. */
export interface ScriptWriting {
  /** Default `Audio description`. */
  readonly title?: string;
  /** BCP-47 code of the words; it chooses the spelling that Word checks by. */
  readonly language?: string;
  /** The frame grid; times are timecodes then, else hours, minutes, seconds and thousandths. */
  readonly grid?: FrameGrid;
  /** The last words that are heard before each cue, by its id. */
  readonly dialogueBefore?: ReadonlyMap<string, string>;
}

/** A column of a script, and how wide it is beside the others. */
export interface ScriptColumn {
  readonly title: string;
  readonly width: number;
}

/** A script as describers lay it out: a row for each description. */
export interface ScriptTable {
  readonly title: string;
  /** Title, and how the times count where they are timecodes: for the head of each page. */
  readonly heading: string;
  readonly language: string;
  readonly columns: readonly ScriptColumn[];
  /** As many values as there are columns, on one line each. */
  readonly rows: readonly (readonly string[])[];
}

/** Lays cues out as a script: number, in, out, the dialogue before where it is known, and the words. */
export function scriptTable(cues: readonly Cue[], writing: ScriptWriting = {}): ScriptTable {
  const { title = "Audio description", language = "en", grid, dialogueBefore } = writing;
  const hasDialogue = dialogueBefore !== undefined && dialogueBefore.size > 0;
  const dialogue = hasDialogue ? [{ title: "Dialogue before", width: 26 }] : [];
  return {
    title,
    heading: [title, grid === undefined ? "" : clockOf(grid)].filter((said) => said !== "").join(" · "),
    language,
    columns: [
      { title: "No.", width: 6 },
      { title: "In", width: 14 },
      { title: "Out", width: 14 },
      ...dialogue,
      { title: "Description", width: 60 },
    ],
    rows: cues.map((cue, index) => [
      String(index + 1),
      ...timesOf(cue, grid),
      ...(hasDialogue ? [foldWhiteSpace(dialogueBefore.get(cue.id) ?? "")] : []),
      foldWhiteSpace(cue.text),
    ]),
  };
}

function timesOf({ start, end }: Cue, grid: FrameGrid | undefined): [string, string] {
  const [first, last] =
    grid === undefined
      ? [millisecondsFrom(start), millisecondsFrom(end)]
      : [framesFromSeconds(start, grid.rate), framesFromSeconds(end, grid.rate)];
  const label = (count: number) =>
    grid === undefined ? formatMilliseconds(count) : formatTimecode(count + grid.startFrame, grid);
  return [label(first), label(Math.max(first + 1, last))];
}

function clockOf(grid: FrameGrid): string {
  const rate = Number(framesPerSecond(grid.rate).toFixed(3));
  return `${rate} fps${grid.isDropFrame ? " drop-frame" : ""}, starts at ${formatTimecode(grid.startFrame, grid)}`;
}

/** Documents that are written for Word and Excel: a script as a table, on timecodes where there is a grid. */
export const OFFICE = {
  docx: { title: "Script table of Word", endings: ["docx"], countsFrames: "on a grid", lacks: { ids: true } },
  xlsx: { title: "Script table of Excel", endings: ["xlsx"], countsFrames: "on a grid", lacks: { ids: true } },
} as const satisfies Record<string, Pick<Format, "title" | "endings" | "countsFrames" | "lacks">>;

/** Name of such a document. */
export type OfficeFormat = keyof typeof OFFICE;

/** Names of all of them. */
// The keys are the names.
export const OFFICE_FORMATS = Object.keys(OFFICE) as readonly OfficeFormat[];

/** Whether a name is one of {@link OFFICE_FORMATS}. */
export function isOfficeFormat(name: string): name is OfficeFormat {
  return name in OFFICE;
}
