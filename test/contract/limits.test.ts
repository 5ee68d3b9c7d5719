import { describe, expect, test } from "vitest";
import {
  DEFAULT_VOICE,
  DIRECT_UPLOAD_MAX_BYTES,
  LANGUAGES,
  MOST_MOMENTS,
  SIGNED_FLOW_ABOVE_BYTES,
  VOICES,
} from "../../src/contract/choices.ts";
import { AudioConfig, DescribingSchema, FlatTextRequest, VoicingSchema } from "../../src/contract/generation.ts";
import { PAIRING_CODE_DIGITS, PAIRING_CODE_SECONDS, USUAL_PORT } from "../../src/contract/pairing.ts";
import { READ_TEXT_LIMITS, ReadTextRequest } from "../../src/contract/read-text.ts";
import { ChangeSettingsRequest } from "../../src/contract/service-settings.ts";
import { LINE_LIMITS, VoiceLineRequest } from "../../src/contract/voiced-line.ts";
import { WordingsRequest } from "../../src/contract/wordings.ts";

const text = (length: number) => "x".repeat(length);
const list = <Item>(length: number, item: Item) => Array.from({ length }, () => item);
const media_id = "0b0e4a3e-5b0c-4c39-9b3a-0d8f1f0b8a11";
const line = { words: "A door.", start: 1, seconds: 2, rate: 1 };
const moment = { kind: "other", start: 1, end: 3, seconds: 2 };

/** What is taken up to a bound: how a request looks with so much of it, and the bound. */
const UP_TO = [
  ["instructions, in characters", AudioConfig, (n: number) => ({ custom_instructions: text(n) }), 10_000],
  [
    "instructions of a flat order",
    FlatTextRequest,
    (n: number) => ({ media_id, custom_instructions: text(n) }),
    10_000,
  ],
  ["name of a sound track", AudioConfig, (n: number) => ({ audio_track: text(n) }), 200],
  ["least length of a cue", AudioConfig, (n: number) => ({ standard_ad_min_cue_length: n }), 5],
  ["edit points", DescribingSchema, (n: number) => ({ cuts: list(n, 1) }), 10_000],
  ["film notes", DescribingSchema, (n: number) => ({ bible: text(n) }), 200_000],
  ["added time, in percent", DescribingSchema, (n: number) => ({ maximum_added_percent: n }), 1_000],
  ["rate of a kept line", VoicingSchema, (n: number) => ({ track: "mixed", lines: [{ ...line, rate: n }] }), 2],
  ["gain of a kept mix", VoicingSchema, (n: number) => ({ track: "mixed", lines: [line], track_gain_db: n }), 80],
  ["seconds of a voiced line", VoiceLineRequest, (n: number) => ({ text: "A door.", seconds: n }), 600],
  ["gain of a voiced line", VoiceLineRequest, (n: number) => ({ text: "A door.", narration_gain_db: n }), 80],
  ["line to word", WordingsRequest, (n: number) => ({ ...moment, text: text(n) }), 1_000],
  ["lines before it", WordingsRequest, (n: number) => ({ ...moment, before: list(n, "A door.") }), 5],
  ["lines after it", WordingsRequest, (n: number) => ({ ...moment, after: list(n, "A door.") }), 5],
  ["length of a line before it", WordingsRequest, (n: number) => ({ ...moment, before: ["A.", text(n)] }), 1_000],
  ["seconds of a wording", WordingsRequest, (n: number) => ({ ...moment, seconds: n }), 600],
  ["film notes for wordings", WordingsRequest, (n: number) => ({ ...moment, notes: text(n) }), 40_000],
  [
    "name of a file to read",
    ReadTextRequest,
    (n: number) => ({ content: "QQ==", filename: text(n), holds: "dialogue" }),
    255,
  ],
  ["value of a setting", ChangeSettingsRequest, (n: number) => ({ describer: { key: text(n) } }), 4_000],
  ["name of a setting", ChangeSettingsRequest, (n: number) => ({ limits: { [text(n)]: "1" } }), 40],
] as const;

test.each(UP_TO)("%s: as much as is stated, and no more", (_, schema, request, most) => {
  expect(schema.safeParse(request(most)).success).toBe(true);
  expect(schema.safeParse(request(most + 1)).success).toBe(false);
});

describe("what is said of limits", () => {
  test("files: 32 MB go up at once in the larger reading, and are signed from the smaller one", () => {
    expect([SIGNED_FLOW_ABOVE_BYTES, DIRECT_UPLOAD_MAX_BYTES]).toEqual([32 * 10 ** 6, 32 * 2 ** 20]);
    expect(READ_TEXT_LIMITS).toEqual({ maximum_bytes: 5 * 2 ** 20 });
  });

  test("lines, moments, and a code for pairing", () => {
    expect(LINE_LIMITS).toEqual({ maximum_characters: 1_000 });
    expect(MOST_MOMENTS).toBe(50);
    expect({ digits: PAIRING_CODE_DIGITS, minutes: PAIRING_CODE_SECONDS / 60, port: USUAL_PORT }).toEqual({
      digits: 6,
      minutes: 5,
      port: 8420,
    });
  });

  test("53 languages and 31 voices, each once, with the default among them", () => {
    expect(new Set(LANGUAGES).size).toBe(53);
    expect(new Set(VOICES.map(({ name }) => name)).size).toBe(31);
    expect(VOICES.filter(({ isConfirmed }) => isConfirmed)).toEqual([
      { name: DEFAULT_VOICE, gender: "female", isConfirmed: true },
    ]);
    const female = VOICES.filter(({ gender }) => gender === "female");
    expect([female.length, VOICES.length - female.length]).toEqual([14, 17]);
  });
});
