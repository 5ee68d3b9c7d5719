import { type FrameRate, frameRate, framesFromSeconds } from "../../src/core/frame-rate.ts";
import { formatTimecode } from "../../src/core/timecode.ts";
import { decodeFile } from "../../src/formats/decode-file.ts";
import { type ReadDocument, readDocument } from "../../src/formats/index.ts";
import { type Check, checked, type FileResult } from "./check.ts";
import { corpusBytes, corpusJson, corpusPaths } from "./corpus-files.ts";

/** What a `.truth.json` says, as far as readers of cues can be held to it. */
interface Truth {
  readonly cue_count?: number;
  readonly marker_count?: number;
  readonly texts?: readonly string[];
  readonly cues_seconds?: readonly (readonly [number, number, string | readonly string[]])[];
  readonly cues?: readonly (readonly [string, string, string])[];
  readonly dialogue_lines?: number;
  readonly lines_with_letters?: number;
  readonly markers?: readonly (readonly unknown[])[];
  readonly markers_first?: readonly (readonly unknown[])[];
}

/** How far times may lie from a truth that was rounded, in seconds. */
const ROUNDED_SECONDS = 0.013;

/** The rate on which a file's labels are compared; 25 where its format states none. */
const RATES: Readonly<Record<string, FrameRate>> = {
  "SessionText_MarkerRulersAndTrackMarkers_PT2023.12.txt": frameRate(24),
  "SessionText_NewLinesAndTabs_DefaultExportOptions_PT2023.6.txt": frameRate(24000, 1001),
  "Robin_Hood_Spotting.txt": frameRate(30000, 1001),
  "Test_for_ptulsconv.txt": frameRate(24000, 1001),
  "resolve-60fps.edl": frameRate(60),
};

/** Folders whose files hold cues, each file with the truth beside it. */
const FOLDERS = ["ebu-stl", "scc", "ass", "protools", "markers", "documents"];

/** Files that are right to be refused: too few letters tell their encoding. */
const REFUSED = ["SessionText_ExtendedChars_TextEditFormat_PT2023.3.txt"];

/** Checks captions, sessions and markers that other programs wrote: what is in them is read, and what is left out is said. */
export function checkExchange(): FileResult[] {
  return FOLDERS.flatMap((folder) => corpusPaths(`exchange/${folder}`))
    .filter((path) => !/\.(?:truth\.json|zip)$/.test(path))
    .map((path) => checked(path, (check) => checkFile(check, path)));
}

function checkFile(check: Check, path: string): void {
  const name = path.split("/").at(-1) ?? "";
  const decoded = decodeFile(corpusBytes(path));
  check.same("refused", decoded === null, REFUSED.includes(name));
  if (decoded === null) return;
  const rate = RATES[name] ?? frameRate(25);
  const grid = { rate, isDropFrame: false, startFrame: 0 };
  const read = readDocument(decoded.text, { filename: name, grid, isStartGiven: true });
  check.holds("in no format that is read", read.format !== null);
  check.holds("holds nothing and says nothing", read.cues.length > 0 || read.issues.length > 0);
  const truth = truthOf(path);
  if (truth !== null) checkTruth(check, read, truth, rate);
}

function truthOf(path: string): Truth | null {
  const beside = `${path}.truth.json`;
  return corpusPaths(path.slice(0, path.lastIndexOf("/"))).includes(beside) ? corpusJson<Truth>(beside) : null;
}

function checkTruth(check: Check, { cues, issues }: ReadDocument, truth: Truth, rate: FrameRate): void {
  const count = truth.cue_count ?? truth.marker_count;
  if (count !== undefined) check.same("cues", cues.length, count);
  if (truth.texts !== undefined)
    check.same(
      "texts",
      cues.map(({ text }) => text),
      truth.texts,
    );
  if (truth.dialogue_lines !== undefined) {
    const wordless = issues.filter(({ code }) => code === "missing-text").length;
    check.same("lines of dialogue", cues.length + wordless, truth.dialogue_lines);
  }
  if (truth.lines_with_letters !== undefined) {
    check.same("captions at all", cues.length > 0, truth.lines_with_letters > 0);
  }
  const label = (seconds: number) => formatTimecode(framesFromSeconds(seconds, rate), { rate, isDropFrame: false });
  for (const [index, [start, end, lines]] of (truth.cues_seconds ?? []).entries()) {
    const cue = cues[index];
    check.same(`words of cue ${index + 1}`, cue?.text, [lines].flat().join(" "));
    check.holds(`start of cue ${index + 1}: ${cue?.start}`, Math.abs((cue?.start ?? 0) - start) < ROUNDED_SECONDS);
    check.holds(`end of cue ${index + 1}: ${cue?.end}`, Math.abs((cue?.end ?? 0) - end) < ROUNDED_SECONDS);
  }
  for (const [index, [start, end, words]] of (truth.cues ?? []).entries()) {
    const cue = cues[index];
    check.same(`cue ${index + 1}`, [label(cue?.start ?? 0), label(cue?.end ?? 0), cue?.text], [start, end, words]);
  }
  // The number, the timecode, the sample, the name and perhaps rulers and a comment: what it says is the comment, else the name.
  for (const [index, marker] of (truth.markers ?? truth.markers_first ?? []).entries()) {
    if (typeof marker[1] === "string") check.same(`marker ${index + 1}`, label(cues[index]?.start ?? 0), marker[1]);
  }
}
