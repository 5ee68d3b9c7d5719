import { parseWebVtt, type WebVttBlock } from "../../src/formats/index.ts";
import { type Check, checked, type FileResult } from "./check.ts";
import { corpusJson, corpusPaths, corpusText } from "./corpus-files.ts";

/** What of a cue is read: where it is shown is no business of descriptions. */
const READ = /^cues(?:\.length|\[\d+\](?:\.(?:id|startTime|endTime|text))?)$/;

/** Checks the W3C tests of file parsing: every assertion of `expected.json` about cues, their ids, times and texts. */
export function checkWptFiles(): FileResult[] {
  const folder = "webvtt/wpt-file-parsing";
  type Expected = Readonly<Record<string, readonly { readonly path: string; readonly equals?: unknown }[]>>;
  return Object.entries(corpusJson<Expected>(`${folder}/expected.json`)).map(([name, assertions]) =>
    checked(`${folder}/${name}`, (check) => {
      const { entries } = parseWebVtt(corpusText(`${folder}/${name}`), { isStrict: true });
      const cues = entries.map((cue) => ({ ...cue, startTime: cue.start, endTime: cue.end }));
      for (const assertion of assertions.filter(({ path }) => READ.test(path))) {
        const value = valueAt({ cues }, assertion.path);
        if ("equals" in assertion) check.same(assertion.path, value, assertion.equals);
      }
    }),
  );
}

function valueAt(root: unknown, path: string): unknown {
  let value: unknown = root;
  for (const name of path.split(/[.[\]]+/).filter((part) => part !== "")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/** Checks the files of the W3C tests of cue text: every cue is there, with its text as it stands up to a blank line. */
export function checkWptCueText(): FileResult[] {
  const folder = "webvtt/wpt-cue-parsing";
  return ["entities", "text", "timestamps"].map((name) =>
    checked(`${folder}/${name}.vtt`, (check) => {
      const expected = corpusJson<readonly { readonly text: string }[]>(`${folder}/${name}.json`);
      const { entries } = parseWebVtt(corpusText(`${folder}/${name}.vtt`), { isStrict: true });
      check.same(
        "texts",
        entries.map(({ text }) => text),
        expected.map(({ text }) => text.replaceAll("\0", "\ufffd").replace(/\n(\n.*)?$/s, "")),
      );
    }),
  );
}

interface OldCue {
  readonly id: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly text: string;
}

/** Checks the suite of vtt.js: times, ids and text. */
export function checkVttJs(): FileResult[] {
  const folder = "webvtt/vttjs";
  type Manifest = readonly { readonly vtt: string; readonly expected: string }[];
  const pairs = new Map(corpusJson<Manifest>(`${folder}/manifest.json`).map((one) => [one.vtt, one.expected]));
  return [...pairs].map(([vtt, json]) =>
    checked(`${folder}/${vtt}`, (check) => {
      const expected = corpusJson<{ readonly cues?: readonly OldCue[] }>(`${folder}/${json}`).cues ?? [];
      const { entries } = parseWebVtt(corpusText(`${folder}/${vtt}`), { isStrict: true });
      check.same("cues", entries.length, expected.length);
      for (const [index, old] of expected.entries()) {
        const cue = entries[index];
        if (cue !== undefined) checkOldCue(check, cue, old);
      }
    }),
  );
}

function checkOldCue(check: Check, cue: WebVttBlock, old: OldCue): void {
  check.same("times, id, text", [cue.start, cue.end, cue.id, cue.text], [old.startTime, old.endTime, old.id, old.text]);
}

/** Checks real and odd files: what each holds by its README and by eye. */
export function checkOddWebVtt(): FileResult[] {
  return corpusPaths("webvtt/odd").map((path) =>
    checked(path, (check) => {
      const name = path.slice("webvtt/odd/".length);
      const { cues, issues } = parseWebVtt(corpusText(path));
      const expected = ODD_CUES[name];
      check.same("cues", cues.length, expected);
      const isFaulty = /invalid|missing|broken|empty|no_captions/.test(name);
      if (isFaulty) check.holds("says nothing of its faults", issues.length > 0);
    }),
  );
}

/** How many cues with text each odd file holds. */
const ODD_CUES: Readonly<Record<string, number>> = {
  "astisub-broken-1-in.vtt": 0,
  "astisub-example-in-carriage-return.vtt": 3,
  "astisub-example-in-html-entities.vtt": 3,
  "astisub-example-in.vtt": 6,
  "astisub-example-out-html-entities.vtt": 3,
  "astisub-example-out-styled.vtt": 10,
  "astisub-example-out.vtt": 6,
  "avalon-chunk_test.vtt": 10,
  "avalon-transcript-example.vtt": 21,
  "opencast-example.vtt": 4,
  "phpsub-vtt.vtt": 2,
  "phpsub-vtt_with_html.vtt": 1,
  "phpsub-vtt_with_missing_text.vtt": 2,
  "phpsub-vtt_with_multiple_new_lines.vtt": 2,
  "phpsub-vtt_with_name.vtt": 1,
  "phpsub-vtt_with_styles.vtt": 1,
  "phpsub-vtt_without_hours_in_timestamp.vtt": 1,
  "webvttpy-captions_with_bom.vtt": 4,
  "webvttpy-comments.vtt": 3,
  "webvttpy-cue_tags.vtt": 3,
  "webvttpy-empty.vtt": 0,
  "webvttpy-invalid.vtt": 7,
  "webvttpy-invalid_timeframe.vtt": 6,
  "webvttpy-invalid_timeframe_in_cue_text.vtt": 3,
  "webvttpy-metadata_headers.vtt": 2,
  "webvttpy-metadata_headers_multiline.vtt": 2,
  "webvttpy-missing_caption_text.vtt": 4,
  "webvttpy-missing_timeframe.vtt": 6,
  "webvttpy-no_captions.vtt": 0,
  "webvttpy-one_caption.vtt": 1,
  "webvttpy-sample.vtt": 16,
  "webvttpy-styles.vtt": 1,
  "webvttpy-using_identifiers.vtt": 6,
  "webvttpy-youtube_dl.vtt": 4,
};
