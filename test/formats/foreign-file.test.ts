import { expect, test } from "vitest";
import { foreignKind } from "../../src/formats/foreign-file.ts";
import { corpusBytes, corpusPaths } from "../corpus/corpus-files.ts";

const bytesOf = (head: string) => Uint8Array.from(head.padEnd(600, "\0"), (character) => character.charCodeAt(0));
const COMPOUND = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

test.each([
  ["a Premiere project", "\x1f\x8b\x08", "film.prproj", "File > Export > Final Cut Pro XML"],
  [
    "a Premiere project that was unpacked",
    '<?xml version="1.0"?>\n<PremiereData Version="3">',
    "film.prproj",
    "Final Cut Pro XML",
  ],
  ["AAF", COMPOUND, "film.aaf", "export the sequence as"],
  ["AAF of any name", `${COMPOUND}AAFB`, "film", "is AAF"],
  ["an old Word document", COMPOUND, "script.doc", ".docx"],
  ["an Avid log", "Heading\r\nFPS\t25\r\nFIELD_DELIM\tTABS", "dailies.txt", "markers as text"],
  ["an Avid bin", "\x06\x00Domain", "reel.avb", "markers as text"],
  ["a Pro Tools session", "\x030010111100101011", "mix.ptx", "Session Info as Text"],
  ["a Resolve project", "PK\x03\x04", "film.drp", "export the timeline"],
  ["a PDF", "%PDF-1.7", "script.pdf", "its text"],
  ["an archive", "PK\x03\x04", "film.zip", "give what it holds"],
  ["sound", "RIFF\x24\x08\x00\x00WAVE", "narration.wav", "picture or sound"],
  ["a film", "\0\0\0\x20ftypisom", "film.mp4", "picture or sound"],
  ["a picture", "\x89PNG\r\n", "still.png", "is a picture"],
])("%s is told, with what to give instead", (_, head, name, next) => {
  expect(foreignKind(bytesOf(head), name)).toContain(next);
});

test("no text of the corpora is taken for anything else", () => {
  const texts = ["webvtt", "srt", "edl", "xml", "dapt", "exchange"]
    .flatMap(corpusPaths)
    .filter((path) => !/\.(?:docx|xlsx|zip|wav|ale)$/i.test(path));
  const taken = texts.filter((path) => foreignKind(corpusBytes(path), path) !== null);
  expect(texts.length).toBeGreaterThan(400);
  expect(taken).toEqual([]);
});
