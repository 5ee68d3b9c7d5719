import { parseSbv, parseSubRip, readCues, readDocument } from "../../src/formats/index.ts";
import { checked, type FileResult } from "./check.ts";
import { corpusDecoded, corpusPaths } from "./corpus-files.ts";

/** Cues with text of each odd SubRip file; none where the file is to be refused. */
const ODD_CUES: Readonly<Record<string, number>> = {
  "astisub-example-in-carriage-return.srt": 3,
  "astisub-example-in-html-entities.srt": 3,
  "astisub-example-in-non-utf8.srt": 6,
  "astisub-example-in-styled.srt": 10,
  "astisub-example-in.srt": 6,
  "astisub-example-out-html-entities.srt": 3,
  "astisub-example-out-styled.srt": 10,
  "astisub-example-out.srt": 6,
  "astisub-missing-sequence-in.srt": 6,
  "avalon-captions-example.srt": 21,
  "avalon-chunk_test.srt": 10,
  "bom-crlf-extended-chars.srt": 5,
  "opencast-sample.srt": 6,
  "phpsub-srt.srt": 2,
  "pysrtlib-ascii.srt": 3,
  "webvttpy-invalid_format1.srt": 0,
  "webvttpy-invalid_format2.srt": 0,
  "webvttpy-invalid_format3.srt": 0,
  "webvttpy-invalid_format4.srt": 0,
  "webvttpy-invalid_timeframe.srt": 5,
  "webvttpy-missing_caption_text.srt": 4,
  "webvttpy-missing_timeframe.srt": 4,
  "webvttpy-one_caption.srt": 1,
  "webvttpy-sample.srt": 5,
};

/** Pairs of files that hold the same cues, one of them what the other becomes. */
const SAME_CUES: Readonly<Record<string, string>> = {
  "srt/odd/astisub-example-in.srt": "srt/odd/astisub-example-out.srt",
  "srt/odd/astisub-example-in-non-utf8.srt": "srt/odd/astisub-example-in.srt",
  "srt/odd/astisub-missing-sequence-in.srt": "srt/odd/astisub-example-out.srt",
  "srt/odd/astisub-example-in-styled.srt": "srt/odd/astisub-example-out-styled.srt",
  "srt/odd/astisub-example-in-html-entities.srt": "srt/odd/astisub-example-out-html-entities.srt",
};

/** Cues of a file of any encoding, as SubRip. */
function subRip(path: string) {
  return parseSubRip(corpusDecoded(path).text);
}

function timed(cues: readonly { start: number; end: number; text: string }[]): unknown {
  return cues.map((cue) => [cue.start, cue.end, cue.text]);
}

/** Checks odd SubRip: counts, refusals that say why, equal cues where two files hold the same. */
export function checkOddSubRip(): FileResult[] {
  return corpusPaths("srt/odd").map((path) =>
    checked(path, (check) => {
      const name = path.slice("srt/odd/".length);
      const { cues, issues } = subRip(path);
      check.same("cues", cues.length, ODD_CUES[name]);
      if (/invalid|missing/.test(name)) check.holds("says nothing of its faults", issues.length > 0);
      const twin = SAME_CUES[path];
      if (twin !== undefined) check.same(`cues of ${twin}`, timed(cues), timed(subRip(twin).cues));
      if (name === "avalon-chunk_test.srt") {
        const vtt = readCues(corpusDecoded("webvtt/odd/avalon-chunk_test.vtt").text).cues;
        check.same(
          "times of the WebVTT file",
          cues.map((cue) => [cue.start, cue.end]),
          vtt.map((cue) => [cue.start, cue.end]),
        );
      }
      check.same("format", cues.length > 0 ? readCues(corpusDecoded(path).text).format : "srt", "srt");
    }),
  );
}

/** Formats of the files with the same content; `null` for what is not read. One names fragments in place of its words. */
const SAME_CONTENT: Readonly<Record<string, string | null>> = {
  aud: "plaintext",
  audh: "plaintext",
  csv: "csv",
  dfxp: "ttml",
  json: "json",
  sbv: "sbv",
  smil: null,
  srt: "srt",
  ssv: "plaintext",
  sub: "sbv",
  textgrid: null,
  tsv: "plaintext",
  ttml: "ttml",
  txt: "plaintext",
  txth: "plaintext",
  vtt: "vtt",
};
const WITHOUT_WORDS: ReadonlySet<string> = new Set(["tsv"]);

/** Checks that these files give the same fifteen cues, whatever they are written in, or say that they are not read. */
export function checkSameContent(): FileResult[] {
  const expected = subRip("srt/same-content/sonnet001.srt").cues;
  return corpusPaths("srt/same-content").map((path) =>
    checked(path, (check) => {
      const extension = path.slice(path.lastIndexOf(".") + 1);
      const { cues, format, issues } = readDocument(corpusDecoded(path).text);
      const isRead = SAME_CONTENT[extension] !== null;
      check.same("format", format, SAME_CONTENT[extension]);
      check.same(
        "times",
        cues.map((cue) => [cue.start, cue.end]),
        isRead ? expected.map((cue) => [cue.start, cue.end]) : [],
      );
      check.same(
        "issues",
        issues.map((issue) => issue.code),
        isRead ? [] : ["unknown-format"],
      );
      if (!isRead) return;
      const words = WITHOUT_WORDS.has(extension)
        ? expected.map((_, index) => `f${String(index + 1).padStart(6, "0")}`)
        : expected.map((cue) => cue.text);
      check.same(
        "texts",
        cues.map((cue) => cue.text),
        words,
      );
    }),
  );
}

const SBV_CUES: Readonly<Record<string, number>> = {
  "webvttpy-invalid_format.sbv": 0,
  "webvttpy-invalid_timeframe.sbv": 4,
  "webvttpy-missing_caption_text.sbv": 4,
  "webvttpy-missing_timeframe.sbv": 4,
  "webvttpy-sample.sbv": 5,
  "webvttpy-two_captions.sbv": 2,
};

/** Checks SBV, good and bad. */
export function checkSbv(): FileResult[] {
  return corpusPaths("srt/plaintext-like").map((path) =>
    checked(path, (check) => {
      const name = path.slice("srt/plaintext-like/".length);
      const text = corpusDecoded(path).text;
      const { cues, issues } = parseSbv(text);
      check.same("cues", cues.length, SBV_CUES[name]);
      if (/invalid|missing/.test(name)) check.holds("says nothing of its faults", issues.length > 0);
      if (cues.length > 0) check.same("format", readCues(text).format, "sbv");
    }),
  );
}
