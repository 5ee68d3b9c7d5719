import fc from "fast-check";
import { expect, test } from "vitest";
import { choosePresets, mediaTypeOf } from "../../../src/host/premiere/presets.ts";
import type { PresetFile } from "../../../src/host/preset-files.ts";
import { SAMPLE_SEQUENCE_ID } from "../../fakes/premiere/sample-project.ts";
import { openSample } from "./open-premiere.ts";

const REFERENCE = { projectId: "project-sample", sequenceId: SAMPLE_SEQUENCE_ID };

/** Presets by the ending that Premiere tells of each; `null` and nothing for one that it cannot read. */
type Endings = Readonly<Record<string, string | null | undefined>>;

const file = (name: string, origin: PresetFile["origin"] = "ours"): PresetFile => {
  return { name, path: `/${name}.epr`, origin, isProven: false };
};

function choose(endings: Endings, list: readonly PresetFile[], request: Parameters<typeof choosePresets>[3]) {
  const premiere = openSample();
  const value = async (_sequence: unknown, path: string) => {
    const name = path.replace(/^\/|\.epr$/g, "");
    if (!(name in endings)) throw new Error("cannot be read");
    return endings[name];
  };
  Object.defineProperty(premiere.module.EncoderManager, "getExportFileExtension", { value });
  return choosePresets(premiere.module, REFERENCE, { list: async () => list }, request);
}
const namesOf = (chosen: Promise<readonly PresetFile[]>) => chosen.then((all) => all.map(({ name }) => name));

const ENDINGS = ["mp4", ".MP4", "mov", ".mxf", "m4v", "mpg", "wav", ".WAV", "gif", "", null, undefined, "unreadable"];
const isVideo = (ending: unknown) => /^\.?(mp4|m4v|mov|mxf|mpg)$/i.test(String(ending));
const isSound = (ending: unknown) => /^\.?wav$/i.test(String(ending));

test("of all presets those are taken, in their order, that Premiere can read and that make what is asked for", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...ENDINGS), { maxLength: 6 }), fc.boolean(), async (given, forSound) => {
      const list = given.map((_, index) => file(`p${index}`));
      const readable = given.flatMap((ending, index) =>
        ending === "unreadable" ? [] : [[`p${index}`, ending] as const],
      );
      const fits = list.filter((_, index) => (forSound ? isSound : isVideo)(given[index]));
      const chosen = choose(Object.fromEntries(readable), list, forSound ? { content: "sound" } : {});
      if (fits.length > 0) expect(await namesOf(chosen)).toEqual(fits.map(({ name }) => name));
      else {
        await expect(chosen).rejects.toMatchObject({
          code: "file_not_found",
          state: "nothing was exported",
          operation: forSound ? "export the sound" : "choose an export preset",
          message: expect.stringMatching(forSound ? /makes? WAV files/ : /can read none of the export presets/),
        });
      }
    }),
  );
});

test("the one asked for comes first, by its name or its path; the others stand behind it, once each", async () => {
  const list = ["a", "b", "c"].map((name) => file(name));
  const endings = { a: "mp4", b: "mov", c: "mp4" };
  for (const preset of ["b", "/b.epr"])
    expect(await namesOf(choose(endings, list, { preset }))).toEqual(["b", "a", "c"]);
  // For sound alone the preset of the video counts for nothing.
  const sounds = { a: "wav", b: "mov", c: "wav" };
  expect(await namesOf(choose(sounds, list, { preset: "b", content: "sound" }))).toEqual(["a", "c"]);
});

test("nothing takes the place of a preset that the user brought", async () => {
  const list = [file("a"), file("mine", "user"), file("c")];
  const endings = { a: "mp4", mine: "mov", c: "mp4", elsewhere: "mp4" };
  expect(await namesOf(choose(endings, list, { preset: "mine" }))).toEqual(["mine"]);
  expect(await namesOf(choose(endings, list, { preset: "/elsewhere.epr" }))).toEqual(["/elsewhere.epr"]);
  // Though one of ours bears its name.
  const twins = [file("mine"), ...list];
  expect(await namesOf(choose(endings, twins, { preset: "mine" }))).toEqual(["mine", "mine"]);
});

test("one asked for that cannot be read, or makes no picture, is named", async () => {
  const list = [file("a"), file("b"), file("c")];
  for (const preset of ["b", "/nowhere.epr"]) {
    await expect(choose({ a: "mp4", c: "wav" }, list, { preset })).rejects.toMatchObject({
      code: "file_not_found",
      operation: "choose an export preset",
      message: expect.stringContaining(`cannot read the export preset "${preset}"`),
    });
  }
  await expect(choose({ a: "mp4", c: "wav" }, list, { preset: "c" })).rejects.toMatchObject({
    code: "export_failed",
    operation: "choose an export preset",
    state: "nothing was exported",
    message: expect.stringContaining('The preset "c" makes .wav files'),
  });
});

test("a sequence that is gone is told as that, not as a preset that cannot be read", async () => {
  const premiere = openSample();
  const gone = { ...REFERENCE, sequenceId: "gone" };
  const chosen = choosePresets(premiere.module, gone, { list: async () => [file("a")] }, {});
  await expect(chosen).rejects.toMatchObject({ code: "no_sequence" });
});

test("each ending has its media type", () => {
  const types = ["mp4", "m4v", "mov", "mxf", "mpg", "wav", "xyz"].map(mediaTypeOf);
  expect(types).toEqual([
    "video/mp4",
    "video/mp4",
    "video/quicktime",
    "application/mxf",
    "video/mpeg",
    "audio/wav",
    "application/octet-stream",
  ]);
});
