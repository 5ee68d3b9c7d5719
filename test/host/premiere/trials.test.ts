import { test } from "vitest";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { expectAnswers } from "./open-trials.ts";

const NOT_SHOWN = 'The file does not show in the project. Import it by hand into the bin "Aside", then place again.';
const notWritten = (form: string) => `raises: Premiere wrote no ${form}. Try File › Export there.`;
const NO_TRACK = "0 new, with no clip; the others as they were";

/** What is wrong with a Premiere, and the answers that tell of it: all others are those of one in good health. */
const CASES: readonly (readonly [string, Partial<Faults>, Readonly<Record<string, string | RegExp>>])[] = [
  ["that casts by raising", { wrongCast: "throws" }, {}],
  ["whose handles last for one answer", { staleness: "await" }, {}],
  [
    "of a version before identities and names of tracks",
    { version: "26.2" },
    {
      "Marker times and comments": "start and length 0 and 0 ticks off; comment kept; identity none; 0 left",
      "Marker identity over changes": "moved and changed in one step; identity another",
      "Placing as the panel does": /^placed: done in 4 steps; removed: done; this Premiere names no tracks/,
      Transcript: "cannot be asked for",
      "Converting to AAF": "raises: This Premiere cannot write AAF for other programs. Try File › Export there.",
    },
  ],
  [
    "where nothing shows that is imported",
    { importDelay: Number.POSITIVE_INFINITY },
    {
      "Import into a bin": `raises: ${NOT_SHOWN}`,
      "New track by overwriting": `raises: ${NOT_SHOWN}`,
      "New track by overwriting, mono, video index 0": `raises: ${NOT_SHOWN}`,
      "New track by inserting": `raises: ${NOT_SHOWN}`,
      "Volume keyframes": "nothing of ours to try it on",
      "Selection in its callback": "nothing of ours to remove",
      "Placing as the panel does": /^placed: partial in 2 steps; removed: done; The file does not show/,
      "Import of captions": `raises: ${NOT_SHOWN}`,
    },
  ],
  [
    "that imports a file once",
    { reimport: "nothing" },
    { "Import into a bin": "shown after 400 ms, path as it was given; again: nothing new" },
  ],
  [
    "that adds no track for what is laid over",
    { overwrite: "nothing" },
    {
      "New track by overwriting": NO_TRACK,
      "New track by overwriting, mono, video index 0": NO_TRACK,
      "Placing as the panel does": "placed: done in 5 steps; removed: done",
    },
  ],
  [
    "that lays on the first track what has none",
    { overwrite: "first track" },
    {
      "New track by overwriting": "0 new, with no clip; the others changed",
      "New track by overwriting, mono, video index 0": NO_TRACK,
      "Placing as the panel does":
        /^placed: partial in 3 steps; removed: done; Premiere laid the narration on "Audio 1"/,
    },
  ],
  ["that adds no track for what is inserted", { insert: "nothing" }, { "New track by inserting": NO_TRACK }],
  [
    "that refuses to be told of no video track",
    { noVideoIndex: "refused" },
    { "New track by overwriting": "raises: Invalid parameter", "New track by inserting": "raises: Invalid parameter" },
  ],
  ["that mutes nothing", { mute: "returns false" }, { Muting: "does nothing" }],
  ["whose source monitor refuses files", { sourceMonitor: "refuses" }, { Listening: "refused" }],
  [
    "whose selections are dead where they are made",
    { selection: "never" },
    { "Selection in its callback": "raises: The script object is no longer valid" },
  ],
  [
    "that writes nothing for other programs",
    { converters: "true without a file" },
    Object.fromEntries(["AAF", "OTIO", "XML"].map((form) => [`Converting to ${form}`, notWritten(form)])),
  ],
  [
    "that exports half of it",
    { export: "wrong length" },
    {
      "Export of picture with each preset": /^ours: raises The export is 1\.0 s long instead of 2\.0 s/,
      "Export of sound with each preset": /^system: raises The export is 1\.0 s long instead of 2\.0 s/,
    },
  ],
];

test.each(CASES)("a Premiere %s tells so by these answers, and is left as it was", (_, faults, told) =>
  expectAnswers(faults, told),
);
