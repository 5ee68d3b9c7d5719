import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { VOICES } from "../../../src/contract/choices.ts";
import { TextConfig, VideoConfig } from "../../../src/contract/generation.ts";
import {
  cueFault,
  orderFromConfig,
  unknownVoice,
  withoutEffect,
} from "../../../src/service/http/generation-settings.ts";
import { parseRequest, reportIgnored } from "../../../src/service/http/parse-request.ts";

const Asked = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(5)),
  kind: z.exactOptional(z.enum(["one", "two", "three"])),
  only: z.exactOptional(z.literal("this")),
  count: z.exactOptional(z.number().check(z.minimum(2), z.maximum(4))),
  list: z.exactOptional(z.array(z.string()).check(z.minLength(1), z.maxLength(2))),
  some: z.exactOptional(z.array(z.string()).check(z.minLength(2))),
  inner: z.exactOptional(z.object({ deep: z.object({ at: z.number() }) })),
  id: z.exactOptional(z.guid()),
  url: z.exactOptional(z.url()),
});

/** The sentence by which a request is refused. */
function refusal(raw: unknown, where?: string, schema: z.ZodMiniType = Asked): string {
  try {
    parseRequest(schema, raw, where);
  } catch (error) {
    expect(error).toMatchObject({ code: "invalid_input", status: 400 });
    return error instanceof Error ? error.message : "";
  }
  return expect.unreachable();
}

describe("a request that is not as it must be", () => {
  const long = "x".repeat(41);
  test.each([
    [{}, '"name" is required.'],
    [undefined, "The request body is missing: an object is expected."],
    [null, "The request body must be an object, and is null."],
    [[], "The request body must be an object, and is an array."],
    [{ name: 1 }, '"name" must be a string, and is a number.'],
    [{ name: "" }, '"name" must not be empty.'],
    [{ name: "123456" }, '"name" must have at most 5 characters, and has 6.'],
    [{ name: "a", kind: "four" }, '"kind" must be one of "one", "two", "three", and is "four".'],
    [{ name: "a", kind: long }, `"kind" must be one of "one", "two", "three", and is "${"x".repeat(40)}…".`],
    [{ name: "a", kind: "x".repeat(40) }, `"kind" must be one of "one", "two", "three", and is "${"x".repeat(40)}".`],
    [{ name: "a", only: {} }, '"only" must be "this", and is an object.'],
    [{ name: "a", count: 1 }, '"count" must be at least 2, and is 1.'],
    [{ name: "a", count: 5 }, '"count" must be at most 4, and is 5.'],
    [{ name: "a", list: [] }, '"list" must have at least 1 entry.'],
    [{ name: "a", some: [] }, '"some" must have at least 2 entries.'],
    [{ name: "a", list: ["a", "b", "c"] }, '"list" must have at most 2 entries.'],
    [{ name: "a", list: ["a", 2] }, '"list.1" must be a string, and is a number.'],
    [{ name: "a", inner: { deep: { at: "x" } } }, '"inner.deep.at" must be a number, and is a string.'],
    [{ name: "a", inner: { deep: {} } }, '"inner.deep.at" is required.'],
    [{ name: "a", id: "x" }, '"id" must be a UUID.'],
    [{ name: "a", url: "x" }, '"url" must be a full address such as https://example.org/video.mp4.'],
  ])("%j is refused by the parameter and what is wrong with it", (raw, sentence) => {
    expect(refusal(raw)).toBe(sentence);
  });

  test("is told each of five faults, and how many more there are", () => {
    const Many = z.object(Object.fromEntries(["a", "b", "c", "d", "e", "f", "g"].map((name) => [name, z.string()])));
    const sentence = (name: string) => `"${name}" is required.`;
    expect(refusal({ f: "x", g: "x" }, "", Many)).toBe(["a", "b", "c", "d", "e"].map(sentence).join(" "));
    expect(refusal({}, "", Many)).toBe(
      `${["a", "b", "c", "d", "e"].map(sentence).join(" ")} 2 more parameters are wrong.`,
    );
  });

  test("names the part that it is in", () => {
    expect(refusal({ name: 1 }, "generation_config")).toBe(
      '"generation_config.name" must be a string, and is a number.',
    );
  });

  test("is told the choices of a union by its member", () => {
    const Union = z.object({
      input: z.discriminatedUnion("type", [
        z.object({ type: z.literal("file") }),
        z.object({ type: z.literal("url"), url: z.string() }),
      ]),
    });
    expect(refusal({ input: { type: "other" } }, "", Union)).toMatch(
      /^"input(?:\.type)?" must be one of the known values: "file", "url"\.$/,
    );
    expect(refusal({ input: {} }, "", Union)).toMatch(/^"input(?:\.type)?" is required: "file", "url"\.$/);
  });
});

describe("what was sent and is not used", () => {
  test("is told by its path, every member of it, wherever it stands", () => {
    const raw = { name: "a", more: 1, inner: { deep: { at: 1, off: 2 }, x: 3 }, last: null };
    expect(parseRequest(Asked, raw).ignored).toEqual(["more", "inner.deep.off", "inner.x", "last"]);
    expect(parseRequest(Asked, { name: "a", x: 1 }, "part").ignored).toEqual(["part.x"]);
    expect(parseRequest(Asked, { name: "a", count: 3 })).toEqual({ value: { name: "a", count: 3 }, ignored: [] });
  });

  test("is told up to a hundred names of two hundred characters; nothing where all was used", () => {
    const names = Array.from({ length: 101 }, (_, index) => `${index}`.padEnd(201, "x"));
    expect(reportIgnored(names).ignored).toEqual(names.slice(0, 100).map((name) => name.slice(0, 200)));
    expect(reportIgnored([])).toEqual({});
  });
});

describe("a configuration", () => {
  const names = { voice: "voice", captions: "captions", script: "script" };
  const orderOf = (resolution: string) =>
    orderFromConfig("video", VideoConfig.parse({}), { resolution: { value: resolution, name: "resolution" }, names });

  test("takes every voice of the catalogue, and names them all for one that is none", () => {
    for (const { name } of VOICES) expect(unknownVoice({ value: name, name: "voice" })).toBeNull();
    const sentence = unknownVoice({ value: "n".repeat(50), name: "voice" }) ?? "";
    for (const { name } of VOICES) expect(sentence).toContain(name);
    expect(sentence).toContain(`"${"n".repeat(40)}"`);
  });

  test.each([
    ["auto", "Auto"],
    ["720", "720"],
    ["720P", "720"],
    ["1280x720", "720"],
    ["144", "144"],
    ["4320", "4320"],
  ])("has the resolution %s: %s", (given, read) => {
    expect(orderOf(given).resolution).toBe(read);
  });

  test.each(["143", "4321", "72", "x720", "1x720", "720i", ""])("has no resolution %j", (given) => {
    expect(() => orderOf(given)).toThrow(/"resolution" must be "Auto" or a height of 144 to 4320/);
  });

  test("brings captions and a script by the names that its request has for them", () => {
    const config = TextConfig.parse({
      custom_captions: { content: "WEBVTT", format: "vtt" },
      description_content: "a script",
    });
    const { texts } = orderFromConfig("text", config, { resolution: { value: "auto", name: "r" }, names });
    expect(texts.map(({ parameter, content }) => [parameter, content])).toEqual([
      ["captions", "WEBVTT"],
      ["script", "a script"],
    ]);
  });

  test("tells each member that has no effect beside the others, in whichever place", () => {
    const sent = {
      language: "en-US",
      auto_fit: true,
      allow_descriptions_over_music: true,
      standard_ad_min_cue_length: 2,
    };
    const extended = TextConfig.parse({ ...sent, ad_type: "extended_ad" });
    expect(withoutEffect(sent, extended, "p.")).toEqual([
      "p.auto_fit",
      "p.allow_descriptions_over_music",
      "p.standard_ad_min_cue_length",
    ]);
    const standard = TextConfig.parse({ ...sent, ad_type: "standard_ad", auto_fit: false });
    expect(withoutEffect({ read_all_onscreen_text: true, ...sent }, standard, "")).toEqual([
      "read_all_onscreen_text",
      "standard_ad_min_cue_length",
    ]);
    expect(withoutEffect(null, standard, "")).toEqual([]);
  });
});

describe("a text that holds no cue", () => {
  const fault = (content: string) => cueFault({ parameter: "script", content, formats: "EDL" });

  test("is refused by its name and by the first line that was dropped", () => {
    expect(fault("1\n00:00:01,000 --> 00:00:02,000\nHello.\n")).toBeNull();
    expect(fault("")).toMatch(/^"script" holds no cue that can be read.*\. Send EDL\.$/);
    // Before that stands a note that there is no cue.
    const empty = "1\n00:00:01,000 --> 00:00:02,000\n\n";
    expect(fault(empty)).toBe('"script" holds no cue that can be read (line 2: a time without text). Send EDL.');
  });
});
