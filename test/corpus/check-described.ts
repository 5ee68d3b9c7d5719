import { mergeRanges, overlapWithRanges } from "../../src/core/time-range.ts";
import { parseWebVtt, readCues } from "../../src/formats/index.ts";
import { checked, type FileResult } from "./check.ts";
import { corpusDecoded, corpusPaths } from "./corpus-files.ts";

function cuesOf(path: string) {
  return readCues(corpusDecoded(path).text).cues;
}

/** How many descriptions each film has, and whether they keep clear of its dialogue on the lengthened timeline. */
const TOPICS: Readonly<Record<string, number>> = {
  captions: 9,
  contrast: 9,
  controls: 6,
  keyboard: 7,
  layout: 11,
  notifications: 10,
  "speech-recognition": 10,
};

/** Checks captions and human descriptions of films: all read, counts as their README states them. */
export function checkDescribed(): FileResult[] {
  return corpusPaths("webvtt/described-pairs").map((path) =>
    checked(path, (check) => {
      const { text } = corpusDecoded(path);
      const document = parseWebVtt(text);
      check.holds("has no cue", document.cues.length > 0);
      check.same("format", readCues(text).format, "vtt");
      const lost = document.issues.filter((issue) => issue.effect === "dropped");
      check.same(
        "lost",
        lost.map((issue) => `${issue.code} ${issue.line}`),
        [],
      );
      const topic = /perspectives\/(.*)_ad_desc\.en\.vtt$/.exec(path)?.[1];
      if (topic !== undefined) {
        check.same("descriptions", document.cues.length, TOPICS[topic]);
        const dialogue = mergeRanges(cuesOf(path.replace("_ad_desc", "_ad")));
        const overlap = document.cues.reduce((sum, cue) => sum + overlapWithRanges(cue, dialogue), 0);
        check.same("overlap with dialogue", overlap, 0);
      }
      if (path.endsWith("elephantsdream/descriptions.en.vtt")) check.same("descriptions", document.cues.length, 63);
      if (path.endsWith("dialog-document.vtt")) check.same("captions", document.cues.length, 73);
      if (path.endsWith("dialog-document--desc.vtt")) check.same("descriptions", document.cues.length, 22);
    }),
  );
}

/** Captions of each language; all say the same, in a few cues more or less. */
export function checkLanguages(): FileResult[] {
  const english = cuesOf("webvtt/languages/video-introduction.en.vtt").length;
  return corpusPaths("webvtt/languages").map((path) =>
    checked(path, (check) => {
      const { text, encoding } = corpusDecoded(path);
      const { cues } = parseWebVtt(text);
      check.same("encoding", encoding, path.endsWith(".hi.vtt") ? "utf-16le" : "utf-8");
      check.holds(`${cues.length} cues instead of about ${english}`, Math.abs(cues.length - english) <= english * 0.5);
      check.holds("holds a replacement character", !text.includes("\ufffd"));
      check.holds("ends far from 245 s", Math.abs((cues.at(-1)?.end ?? 0) - 245) < 15);
    }),
  );
}
