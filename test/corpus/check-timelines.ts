import { framesFromSeconds } from "../../src/core/frame-rate.ts";
import { formatRateName } from "../../src/core/timecode.ts";
import type { Timeline } from "../../src/core/timeline.ts";
import {
  detectFormat,
  editFcp7Xml,
  editOtio,
  parseFcp7Xml,
  parseFcpxml,
  parseOtio,
  writeFcp7Xml,
  writeOtio,
} from "../../src/formats/index.ts";
import { type Check, checked, type FileResult } from "./check.ts";
import { corpusPaths, corpusText } from "./corpus-files.ts";

const MARKER = { start: 1, end: 2, name: "AD", comment: "A woman sits." };

/** Checks OpenTimelineIO: read, changed without touching the rest, written and read back. */
export function checkOtio(): FileResult[] {
  return corpusPaths("xml/otio").map((path) =>
    checked(path, (check) => {
      const text = corpusText(path);
      check.same("format", detectFormat(text)?.format, "otio");
      const { timeline, issues } = parseOtio(text);
      check.same(
        "issues",
        issues.map((issue) => issue.code),
        [],
      );
      if (timeline === null) return check.holds("no timeline", false);
      check.same("untouched", unchanged(editOtio(text, {}), text), true);
      const added = editOtio(text, { addMarkers: [MARKER] });
      const again = added.ok ? parseOtio(added.text).timeline : null;
      check.same("markers behind an addition", again?.markers.length, timeline.markers.length + 1);
      check.same("tracks behind an addition", again?.tracks, timeline.tracks);
      check.same("written and read back", comparable(parseOtio(writeOtio(timeline)).timeline), comparable(timeline));
    }),
  );
}

/** Checks Final Cut Pro 7 XML likewise. */
export function checkFcp7(): FileResult[] {
  return corpusPaths("xml/fcp7").map((path) =>
    checked(path, (check) => {
      const text = corpusText(path);
      const { timeline, issues } = parseFcp7Xml(text);
      if (/_filter\./.test(path)) return checkFragment(check, timeline);
      check.same("format", detectFormat(text)?.format, "fcp7-xml");
      check.same(
        "issues",
        issues.map((issue) => issue.code),
        [],
      );
      if (timeline === null) return check.holds("no timeline", false);
      check.same("untouched", unchanged(editFcp7Xml(text, {}), text), true);
      const added = editFcp7Xml(text, { addMarkers: [MARKER] });
      const again = added.ok ? parseFcp7Xml(added.text).timeline : null;
      check.same("markers behind an addition", again?.markers.length, timeline.markers.length + 1);
      check.same("tracks behind an addition", again?.tracks, timeline.tracks);
      check.same(
        "written and read back",
        comparable(parseFcp7Xml(writeFcp7Xml(timeline)).timeline),
        comparable(timeline),
      );
      if (!path.endsWith("premiere_example.xml")) return;
      const markers = timeline.markers.map((one) => [
        framesFromSeconds(one.start, timeline.rate),
        one.name,
        one.comment,
      ]);
      check.same("markers", markers, [
        [113, "My MArker 1", "so, this happened"],
        [492, "dsf", "fsfsfs"],
        [298, "", ""],
      ]);
    }),
  );
}

/** A filter alone, and the same as JSON: parts of a document, which hold no sequence. */
function checkFragment(check: Check, timeline: Timeline | null): void {
  check.same("timeline", timeline, null);
}

function unchanged(result: ReturnType<typeof editOtio>, text: string): boolean {
  return result.ok && result.text === text;
}

/** What survives a written file: frames, names, order. */
function comparable(timeline: Timeline | null): unknown {
  if (timeline === null) return null;
  const at = (seconds: number) => framesFromSeconds(seconds, timeline.rate);
  return {
    name: timeline.name,
    rate: timeline.rate,
    start: timeline.startFrame,
    tracks: timeline.tracks.map((track) => ({
      kind: track.kind,
      clips: track.clips.map((clip) => ({
        name: clip.name,
        range: [at(clip.start), at(clip.end), at(clip.sourceStart)],
        speed: clip.speed,
        source: clip.source.kind === "nested" ? comparable(clip.source.timeline) : clip.source.kind,
      })),
      transitions: track.transitions.map((one) => [one.name, at(one.start), at(one.end)]),
    })),
    markers: timeline.markers.map((one) => [one.name, one.comment, at(one.start), at(one.end)]),
  };
}

/** Rate, and number of markers that show, of each FCPXML file. */
const FCPXML: Readonly<Record<string, readonly [rate: string, markers: number, all: number]>> = {
  "23.98.fcpxml": ["23.976", 12, 12],
  "24.fcpxml": ["24", 30, 30],
  "25i.fcpxml": ["25", 18, 18],
  "29.97.fcpxml": ["29.97", 20, 20],
  "29.97d.fcpxml": ["29.97 DF", 20, 20],
  "Annotations.fcpxml": ["25", 3, 3],
  "AudioOnly.fcpxml": ["23.976", 10, 10],
  "BasicMarkers.fcpxml": ["29.97", 0, 4],
  "BasicMarkers_1HourProjectStart.fcpxml": ["29.97", 0, 4],
  "TwoClipsMarkers.fcpxml": ["29.97", 3, 3],
  "fcpx_example.fcpxml": ["30", 7, 7],
};

/** Checks FCPXML: rate, markers, start timecode. */
export function checkFcpxml(): FileResult[] {
  return corpusPaths("xml/fcpxml").map((path) =>
    checked(path, (check) => {
      const text = corpusText(path);
      check.same("format", detectFormat(text)?.format, "fcpxml");
      const { timeline, issues } = parseFcpxml(text);
      const [rate, markers, all] = FCPXML[path.slice("xml/fcpxml/".length)] ?? [];
      check.same("rate", timeline === null ? null : formatRateName(timeline), rate);
      check.same("markers that show", timeline?.markers.length, markers);
      const hidden = issues.filter((issue) => issue.code === "hidden-marker").length;
      check.holds(`${hidden} hidden markers`, markers === all || hidden > 0);
      check.same(
        "first frame",
        timeline?.startFrame,
        /1Hour|TwoClips/.test(path) ? 108000 : /Annotations/.test(path) ? 90000 : 0,
      );
    }),
  );
}
