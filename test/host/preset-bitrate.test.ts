import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bitsPerSecondOf } from "../../src/host/preset-files.ts";
import { corpusText } from "../corpus/corpus-files.ts";

const ours = (name: string) => readFileSync(new URL(`../../panel/presets/${name}`, import.meta.url), "utf8");

test("our proxy makes 1 Mbit/s of picture and 128 kbit/s of sound", () => {
  expect(bitsPerSecondOf(ours("aside-proxy-h264.epr"))).toBe(1_128_000);
});

test("a preset without picture, and what is no preset, state none", () => {
  expect(bitsPerSecondOf(ours("aside-sound-wav.epr"))).toBeUndefined();
  expect(bitsPerSecondOf("")).toBeUndefined();
});

test("Adobe's published preset states 15 Mbit/s, in elements of another order", () => {
  expect(bitsPerSecondOf(corpusText("xml/premiere-presets/HD-1080i-25.epr"))).toBe(15_384_000);
});
